import { z } from 'zod'
import { currencyDigits, roundToCurrency } from '../money/index.ts'
import { issueWords } from './issue-words.ts'
import {
  type PaymentMethodsRequest,
  paymentMethodsReader,
  paymentMethodsRequest,
  shipmentEstimateReader,
  shipmentEstimateRequest,
  shipmentMethodsRequest,
} from './methods.ts'
import { shopReader } from './parties.ts'
import { type PaymentStartRequest, paymentStartReader, paymentStartRequest } from './payment.ts'
import { Fault, optional, plainReadOf } from './plain-read.ts'
import { type FieldFault, Problem } from './problem.ts'
import { cutTo, flag, isSet, languageCode } from './values.ts'

const MAX_DEPTH = 32
/** Enough for a cart of 2,000 lines with 48 fields each. */
const MAX_NODES = 100_000
/** The longest part of a caller's own key that is repeated in a path, in characters. */
const MAX_NAME_LENGTH = 64

/**
 * Checks a parsed body before anything else walks it. Refuses more than 32 levels, more than 100,000 values, and whole numbers that JSON
 * cannot carry exactly: two order ids must never become one. Drops keys that reach into prototypes.
 */
export function cleanBody(body: unknown): void {
  if (typeof body === 'object' && body !== null) new Walk().through(body)
}

/** One walk through a body. Every call has one, so it makes no lists of names and values. */
class Walk {
  #left = MAX_NODES
  readonly #path: PropertyKey[] = []

  through(node: object): void {
    if (this.#path.length >= MAX_DEPTH) throw invalid([], `is nested deeper than ${MAX_DEPTH} levels`)
    if (Array.isArray(node)) for (let at = 0; at < node.length; at++) this.#look(at, node[at])
    else {
      for (const name in node) {
        if (name === '__proto__' || name === 'constructor' || name === 'prototype') delete node[name as never]
        else this.#look(name, node[name as never])
      }
    }
  }

  #look(name: PropertyKey, value: unknown): void {
    if (--this.#left < 0) throw invalid([], `holds more than ${MAX_NODES} values`)
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      throw invalid([...this.#path, name], 'is beyond 2^53, where JSON cannot carry whole numbers exactly')
    if (typeof value !== 'object' || value === null) return
    this.#path.push(name)
    this.through(value)
    this.#path.pop()
  }
}

const invalid = (path: readonly PropertyKey[], message: string): Problem =>
  new Problem('BODY_INVALID', { faults: [{ path: jsonPath(path), message }] })

/** Reads a message or throws `BODY_INVALID` with the path of every fault, and never with a value. */
export function readMessage<T extends z.ZodType>(reader: T, body: unknown): z.output<T> {
  const result = reader.safeParse(body)
  if (result.success) return result.data
  throw new Problem('BODY_INVALID', { faults: faultsOf(result.error) })
}

/** The faults a schema found, as paths such as `quote.products[2].price_incl`. */
export function faultsOf(error: z.core.$ZodError): FieldFault[] {
  return error.issues.slice(0, 20).map((issue) => ({
    path: jsonPath(issue.path),
    message: issueWords(issue),
  }))
}

function jsonPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '$'
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = cutTo(String(key), MAX_NAME_LENGTH)
    return text === '' ? name : `${text}.${name}`
  }, '')
}

/** Whether a POST shipment_methods comes from the cart (spec 4.3 rate estimate). A missing flag means the checkout. */
export const isRateEstimate = (body: unknown): boolean =>
  isSet((body as { rate_estimate?: unknown } | null)?.rate_estimate)

/** A field that the contract does not know, or that came in another form. It has a path and a kind, and never a value. */
export interface Drift {
  /** Such as `quote.products[].ean`. */
  path: string
  kind: ValueKind
  /**
   * `ignored`: the contract has no such field. `read`, in another form. `cut`: a part of it was read. `lost`: it counts as missing.
   * `rounded`, to the digits of its currency. `refused`: a message with it is refused where the field is needed.
   */
  became: 'ignored' | 'read' | 'cut' | 'rounded' | 'lost' | 'refused'
}

/** The kind of a value in JSON. */
type ValueKind = 'text' | 'number' | 'true' | 'list' | 'object'

/** The messages of a platform that have a body (spec 4.3). */
export type MessageName = 'shipment_methods' | 'shipment_methods (estimate)' | 'payment_methods' | 'payment'

/** Which of its two messages a body of `POST shipment_methods` is. */
export const shipmentMessage = (body: unknown): MessageName =>
  isRateEstimate(body) ? 'shipment_methods (estimate)' : 'shipment_methods'

// A language that cannot be read is none here.
const shop = z.object({ ...shopReader.shape, language: optional(languageCode) })
const ofCheckout = () => z.object({ ...paymentMethodsReader().shape, shop, rate_estimate: flag() })
const ofEstimate = () => z.object({ ...shipmentEstimateReader.shape, shop, rate_estimate: flag() })
const formsOf: Record<MessageName, () => Form> = {
  shipment_methods: () => formOf(shipmentMethodsRequest, ofCheckout()),
  'shipment_methods (estimate)': () => formOf(shipmentEstimateRequest, ofEstimate()),
  payment_methods: () => formOf(paymentMethodsRequest, ofCheckout()),
  payment: () => formOf(paymentStartRequest, paymentStartReader()),
}

/** A value as the contract allows it, and its reader. One without a reader, such as a password, is read in no form. */
interface Form {
  wire: z.ZodType
  read: z.ZodType | undefined
  /** Of an object. */
  fields: Map<string, Form> | undefined
  /** Of a list. */
  items: Form | undefined
}

function formOf(wire: z.ZodType, read: z.ZodType | undefined): Form {
  const [allowed, reader] = [within(wire), read && within(read)]
  const shape = reader instanceof z.ZodObject ? reader.shape : {}
  return {
    wire,
    read,
    fields:
      allowed instanceof z.ZodObject
        ? new Map(Object.entries(allowed.shape).map(([name, one]) => [name, formOf(one, shape[name])]))
        : undefined,
    items:
      allowed instanceof z.ZodArray && reader instanceof z.ZodArray
        ? formOf(allowed.element as z.ZodType, reader.element as z.ZodType)
        : undefined,
  }
}

/** The object or list in a schema that takes no data too, or reads it. A schema without one is returned as it is. */
function within(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return within(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return within(schema.out as z.ZodType)
  if (!(schema instanceof z.ZodUnion)) return schema
  const isGroup = (one: unknown) => one instanceof z.ZodObject || one instanceof z.ZodArray
  return (schema.options.find(isGroup) as z.ZodType | undefined) ?? schema
}

type Totalled = Pick<PaymentStartRequest, 'order'> | Pick<PaymentMethodsRequest, 'quote' | 'shop'>
export type ReadMessage = Totalled | { request: Totalled } | { estimate: Totalled }

/**
 * Rounds a total with tax half up to the digits of its currency. Returns its path if it was finer, such as 1048.45 JPY. Lines and prices without
 * tax stay exact: platforms send fractions there.
 */
export function roundTotal(message: ReadMessage): string | undefined {
  if ('request' in message) return roundTotal(message.request)
  if ('estimate' in message) return roundTotal(message.estimate)
  const total = 'order' in message ? message.order : message.quote
  const { currency } = 'order' in message ? message.order : message.shop
  if ((total.price_incl.split('.')[1]?.length ?? 0) <= currencyDigits(currency)) return undefined
  total.price_incl = roundToCurrency(total.price_incl, currency)
  return 'order' in message ? 'order.price_incl' : 'quote.price_incl'
}

const mostFound = 50
const mostItems = 20
/** A longer name is cut; one of another alphabet is not repeated, because it may be a value. */
const longestName = 40

/** Compares bodies with the contract. The readers of a message are made once. */
export class ContractForms {
  readonly #forms = new Map<MessageName, Form>()

  /** The drifts of one body. At most 50, and those of the first 20 items of each list. */
  driftsIn(message: MessageName, body: unknown): Drift[] {
    const form = this.#forms.get(message) ?? formsOf[message]()
    this.#forms.set(message, form)
    const found = new Map<string, Drift>()
    look(body, form, '', (drift) => {
      if (found.size < mostFound) found.set(Object.values(drift).join(' '), drift)
    })
    return [...found.values()]
  }
}

function look(value: unknown, form: Form, path: string, note: (drift: Drift) => void): void {
  const kind = kindOf(value)
  // Every field may have no data.
  if (kind === undefined) return
  if (form.fields && kind === 'object') {
    for (const [name, inner] of Object.entries(value as object)) {
      const at = path === '' ? shown(name) : `${path}.${shown(name)}`
      const known = form.fields.get(name)
      const unknown = known ? undefined : kindOf(inner)
      if (known) look(inner, known, at, note)
      else if (unknown !== undefined) note({ path: at, kind: unknown, became: 'ignored' })
    }
    return
  }
  const became = form.items && kind === 'list' ? undefined : readingOf(value, form)
  if (became) note({ path: path || '$', kind, became })
  if (form.items && typeof value === 'object')
    for (const item of Object.values(value as object).slice(0, mostItems))
      look(item, form.items, `${path}[]`, note)
}

/** The outcome of a value; `undefined` for one that is read and has the form of the contract. */
function readingOf(value: unknown, { wire, read, fields }: Form): Drift['became'] | undefined {
  if (fields) return 'refused'
  if (!read) return undefined
  const data = plainReadOf(read)(value)
  if (data instanceof Fault) return 'refused'
  if (data === undefined) return 'lost'
  if (wire.safeParse(value).success) return undefined
  return typeof value === 'string' && typeof data === 'string' && data.length < value.length ? 'cut' : 'read'
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
