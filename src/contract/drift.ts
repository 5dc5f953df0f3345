import { z } from 'zod'
import { paymentStartRequest } from './payment.ts'
import { paymentMethodsRequest } from './payment-methods.ts'
import { shipmentEstimateRequest, shipmentMethodsRequest } from './shipment-methods.ts'

/** A field that the contract does not know, or knows in other forms. It has a path and a kind, and never a value. */
export interface Drift {
  /** Such as `quote.products[].ean`. */
  path: string
  kind: ValueKind
  /** Whether the contract has a field of this path. */
  known: boolean
}

/** The kind of a value in JSON. */
type ValueKind = 'text' | 'number' | 'true' | 'list' | 'object'

/** The messages of a platform that have a body (spec 4.3). */
export type MessageName = 'shipment_methods' | 'shipment_methods (estimate)' | 'payment_methods' | 'payment'

const schemas: Record<MessageName, z.ZodType> = {
  shipment_methods: shipmentMethodsRequest,
  'shipment_methods (estimate)': shipmentEstimateRequest,
  payment_methods: paymentMethodsRequest,
  payment: paymentStartRequest,
}

/** The known forms of one value. `fields` is not set for an object of any fields. */
interface Form {
  kinds: Set<ValueKind>
  fields: Map<string, Form> | undefined
  items: Form | undefined
  isAny: boolean
}

const mostFound = 50
const mostItems = 20
/** A longer name is cut; one of another alphabet is not repeated, because it may be a value. */
const longestName = 40

/** Compares bodies with the contract. Each message is read from its schema once. */
export class ContractForms {
  readonly #forms = new Map<MessageName, Form>()

  /** The drifts of one body. At most 50, and those of the first 20 items of each list. */
  driftsIn(message: MessageName, body: unknown): Drift[] {
    const form =
      this.#forms.get(message) ?? formOf(z.toJSONSchema(schemas[message], jsonOptions) as JsonSchema)
    this.#forms.set(message, form)
    const found = new Map<string, Drift>()
    const note = (path: string, kind: ValueKind, known: boolean) => {
      if (found.size < mostFound) found.set(`${path} ${kind}`, { path, kind, known })
    }
    look(body, form, '', note)
    return [...found.values()]
  }
}

const jsonOptions = { io: 'input', unrepresentable: 'any', reused: 'inline' } as const

type Note = (path: string, kind: ValueKind, known: boolean) => void

function look(value: unknown, form: Form, path: string, note: Note): void {
  const kind = kindOf(value)
  // Every field may have no data.
  if (kind === undefined || form.isAny) return
  if (!form.kinds.has(kind)) {
    note(path || '$', kind, true)
    return
  }
  if (Array.isArray(value)) {
    for (const item of value.slice(0, mostItems)) if (form.items) look(item, form.items, `${path}[]`, note)
    return
  }
  if (typeof value !== 'object' || !form.fields) return
  for (const [name, inner] of Object.entries(value as object)) {
    const at = path === '' ? shown(name) : `${path}.${shown(name)}`
    const known = form.fields.get(name)
    if (known) look(inner, known, at, note)
    else {
      const unknown = kindOf(inner)
      if (unknown !== undefined) note(at, unknown, false)
    }
  }
}

const shown = (name: string): string => {
  if (/^\d+$/.test(name)) return '*'
  return /^[\w$-]+$/.test(name) ? name.slice(0, longestName) : '?'
}

/** `undefined` for no data. */
function kindOf(value: unknown): ValueKind | undefined {
  if (value === null || value === undefined || value === '' || value === false) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : 'list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'true' : 'object'
}

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  const?: unknown
}

const kindsByType: Record<string, ValueKind[]> = {
  string: ['text'],
  number: ['number'],
  integer: ['number'],
  boolean: ['true'],
  array: ['list'],
  object: ['object'],
  null: [],
}

function formOf(schema: JsonSchema, defs = schema.$defs ?? {}): Form {
  if (schema.$ref) return formOf(defs[schema.$ref.replace(/^#\/\$defs\//, '')] ?? {}, defs)
  if (schema.anyOf) return schema.anyOf.map((one) => formOf(one, defs)).reduce(joined)
  const { type, properties, items } = schema
  return {
    kinds: new Set(schema.const === false || schema.const === '' ? [] : kindsByType[type ?? '']),
    fields: properties && new Map(Object.entries(properties).map(([name, one]) => [name, formOf(one, defs)])),
    items: items && formOf(items, defs),
    isAny: type === undefined && schema.const === undefined,
  }
}

const joined = (one: Form, other: Form): Form => ({
  kinds: new Set([...one.kinds, ...other.kinds]),
  fields: one.fields ?? other.fields,
  items: one.items ?? other.items,
  isAny: one.isAny || other.isAny,
})
