import type { z } from 'zod'
import { isIcon } from '../contract/icons.ts'
import { type FieldFault, faultsOf, paymentMethod, shipmentMethod } from '../contract/index.ts'
import { isNoData } from '../contract/plain-read.ts'
import { type Decimal, readDecimal } from '../money/index.ts'

export const flags = [
  ...(['is_pickup', 'is_servicepoint', 'is_cash_on_delivery', 'post_payment', 'invoice_external'] as const),
]

/** A method as a provider answered it and the sandbox read it. */
export interface Method extends Record<(typeof flags)[number], boolean> {
  id: string
  title: string
  description: string
  address: string
  icon: string
  price_incl: Decimal
  price_excl: Decimal
  /** The provider's data; hidden from the customer, and stored with the order. */
  data: Record<string, unknown>
}

export type MethodKey = 'shipment_methods' | 'payment_methods'

/** The shape of one method by the contract. A payment method without prices is free. */
const methodSchemas: Record<MethodKey, z.ZodType> = {
  shipment_methods: shipmentMethod,
  payment_methods: paymentMethod.partial({ price_incl: true }),
}

/** Reads each method of a list, or of an object keyed by number. One without a usable id gets its place as one. */
export function readList(given: unknown, key: MethodKey) {
  const list = typeof given === 'object' && given !== null ? Object.values(given) : []
  const read = { methods: [] as Method[], leftOut: [] as FieldFault[], faults: [] as FieldFault[] }
  for (const [index, one] of list.entries()) {
    const at = `${key}[${index}]`
    read.faults.push(...faultsIn(one, key, at))
    const unusable = whyUnusable(one, key)
    if (unusable !== undefined) {
      read.leftOut.push({ path: at, message: unusable })
      continue
    }
    read.methods.push(methodOf(one, idOf(one) ?? `method-${index + 1}`))
  }
  return read
}

function faultsIn(one: unknown, key: MethodKey, at: string): FieldFault[] {
  const checked = methodSchemas[key].safeParse(one)
  if (checked.success) return []
  return faultsOf(checked.error).map(({ path, message }) => {
    if (path === '$') return { path: at, message }
    const isMissing = /^\w+$/.test(path) && (one as Record<string, unknown>)[path] === undefined
    return { path: `${at}.${path}`, message: isMissing ? 'is missing' : message }
  })
}

function idOf(method: unknown): string | undefined {
  const { id } = (method ?? {}) as { id?: unknown }
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : undefined
}

function whyUnusable(value: unknown, key: MethodKey): string | undefined {
  if (typeof value !== 'object' || value === null) return 'is not an object'
  const { title, price_incl: incl, price_excl: excl } = value as Record<string, unknown>
  if (typeof title !== 'string' || title.trim() === '') return 'has no title'
  if (isNoData(incl)) return key === 'payment_methods' && isNoData(excl) ? undefined : 'has no price'
  const price = readDecimal(incl)
  if (price === undefined) return 'has a price that is not a number'
  return key === 'payment_methods' && price.startsWith('-') ? 'has a price below 0' : undefined
}

/** A method of an answer. What the answer does not say is empty, 0 or false. */
export function methodOf(value: unknown, id: string): Method {
  const method = value as Record<string, unknown>
  const price_incl = readDecimal(method.price_incl) ?? '0'
  const text = (field: unknown) => (typeof field === 'string' ? field : '')
  const set = (field: unknown) => field === true || field === 1 || field === '1'
  const { data } = method
  return {
    id,
    title: text(method.title),
    description: text(method.description),
    address: text(method.address),
    icon: isIcon(text(method.icon)) ? text(method.icon) : '',
    price_incl,
    price_excl: readDecimal(method.price_excl) ?? price_incl,
    ...(Object.fromEntries(flags.map((name) => [name, set(method[name])])) as Pick<
      Method,
      (typeof flags)[number]
    >),
    data: typeof data === 'object' && data && !Array.isArray(data) ? { ...data } : {},
  }
}
