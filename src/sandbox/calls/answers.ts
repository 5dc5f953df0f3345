import type { z } from 'zod'
import { isIcon } from '../../contract/icons.ts'
import {
  type FieldFault,
  faultsOf,
  type PaymentStatus,
  paymentMethod,
  paymentStartAnswer,
  paymentStatuses,
  shipmentMethod,
} from '../../contract/index.ts'
import { isNoData } from '../../contract/plain-read.ts'
import { jsonIn } from '../../contract/texts.ts'
import { type Decimal, readDecimal } from '../../money/index.ts'
import { counted } from '../../printable.ts'

// Reads a provider's answers tolerantly, as the platform does, because live providers deviate in many ways. Each deviation has its path.

export interface Received {
  /** Not set without an answer. */
  status: number | undefined
  contentType: string
  text: string
  /** The reason for no answer, such as "no answer within 20 s". */
  failure: string | undefined
}

interface Reading<T> {
  value: T
  faults: FieldFault[]
  meaning: string
}

/** `strict` is the platform, where live ones differ: whether a 200 in place of 201 is an error, and whether one invalid method drops the list. */
export type Read<T> = (received: Received, strict: { created: boolean; methods: boolean }) => Reading<T>

export const readMethods =
  (key: MethodKey): Read<Method[]> =>
  (received, strict) => {
    const { body, faults } = readBody(received, 201)
    const kind = key.replace('_', ' ')
    const isRefused = !succeeded(received, strict.created ? 201 : undefined)
    const nothing = (reason = whatCounts(faults, isRefused)): Reading<Method[]> => ({
      value: [],
      faults,
      meaning: because(`The customer sees no ${kind} of this provider`, reason),
    })
    if (isRefused || body === undefined) return nothing()
    const given = (body as Record<string, unknown>)[key]
    const { methods, leftOut, faults: ofMethods } = readList(given, key)
    if (!Array.isArray(given))
      faults.push({ path: key, message: given === undefined ? 'is missing' : 'is not a list' })
    faults.push(...ofMethods)
    const [first] = leftOut
    if (methods.length === 0)
      return nothing(first ?? (Array.isArray(given) ? { path: key, message: 'is empty' } : undefined))
    if (strict.methods && ofMethods.length > 0) return nothing(first ?? ofMethods[0])
    const out = first ? ` ${leftOut.length} left out: ${inWords(first)}.` : ''
    return {
      value: methods,
      faults,
      meaning: `The customer may choose from ${counted(methods.length, kind.slice(0, -1))}.${out}`,
    }
  }

/** The deviation with the largest effect: the body and what is in it before its status, unless that is refused, and its label last. */
function whatCounts(faults: readonly FieldFault[], isRefused: boolean): FieldFault | undefined {
  const at = (path: string) => faults.find((fault) => fault.path === path)
  const inBody = isRefused ? undefined : faults.find(({ path }) => !path.startsWith('('))
  return at('(call)') ?? inBody ?? at('(status)') ?? at('(content-type)')
}

const because = (sentence: string, fault: FieldFault | undefined): string =>
  fault ? `${sentence}: ${inWords(fault)}.` : `${sentence}.`

function inWords({ path, message }: FieldFault): string {
  if (path === '(call)') return message
  return `${path === '$' ? 'the answer' : path.replace(/[()]/g, '')} ${message}`
}

/** `null` without an address: the customer goes to the thank-you page. `undefined`: the payment was not started. */
export const readPaymentStart: Read<string | null | undefined> = (received, strict) => {
  const { body, faults } = readBody(received, 201)
  if (!succeeded(received, strict.created ? 201 : undefined)) {
    const meaning = because(
      'The payment was not started and the customer may try again',
      whatCounts(faults, true),
    )
    return { value: undefined, faults, meaning }
  }
  const checked = paymentStartAnswer.safeParse(body)
  if (body !== undefined && !checked.success) faults.push(...faultsOf(checked.error))
  const { payment_url: url } = (body ?? {}) as { payment_url?: unknown }
  if (checked.success && checked.data.payment_url)
    return { value: checked.data.payment_url, faults, meaning: 'The customer is sent to payment_url.' }
  const without = { path: 'payment_url', message: url ? 'is not an http or https address' : 'is missing' }
  const reason = body === undefined ? whatCounts(faults, false) : without
  const meaning = because('The customer goes to the thank-you page, not paid yet', reason)
  return { value: null, faults, meaning }
}

/** `undefined`: the order keeps the status it has. */
export const readPaymentStatus: Read<PaymentStatus | undefined> = (received) => {
  const { body, faults } = readBody(received, 200)
  const status = (body as { status?: unknown } | undefined)?.status
  const known = paymentStatuses.find((one) => one === status)
  if (known && succeeded(received))
    return { value: known, faults, meaning: `The payment of the order is ${known}.` }
  if (body !== undefined && !known)
    faults.push({ path: 'status', message: `is not one of ${paymentStatuses.join(', ')}` })
  if (status === 'unpaid' && succeeded(received))
    return { value: undefined, faults, meaning: 'Not finished: the order keeps the status it has.' }
  const reason = whatCounts(faults, !succeeded(received))
  return { value: undefined, faults, meaning: because('The order keeps the status it has', reason) }
}

const succeeded = ({ status, failure }: Received, exactly?: number) =>
  failure === undefined && status !== undefined && (exactly === undefined ? status < 300 : status === exactly)

function readBody(received: Received, expected: number): { body: unknown; faults: FieldFault[] } {
  const faults: FieldFault[] = []
  const { status, contentType, text } = received
  if (received.failure !== undefined) faults.push({ path: '(call)', message: received.failure })
  if (status === undefined) return { body: undefined, faults }
  if (status !== expected)
    faults.push({ path: '(status)', message: `is ${status}, but the contract says ${expected}` })
  if (status >= 300 && status < 400)
    faults.unshift({ path: '(status)', message: 'is a redirect, which is not followed' })
  const body = jsonIn(text)
  if (body !== undefined && !/json/i.test(contentType)) {
    const message = `is ${contentType || 'missing'}, but the contract says application/json`
    faults.push({ path: '(content-type)', message })
  }
  if (typeof body === 'object' && body !== null) return { body, faults }
  const [first] = text.trim()
  const is = first === undefined ? 'empty' : first === '<' ? 'HTML, not JSON' : 'not JSON'
  faults.push({ path: '$', message: `is ${body === undefined ? is : 'not an object'}` })
  return { body: undefined, faults }
}

const readers: Record<string, Read<unknown>> = {
  shipment_methods: readMethods('shipment_methods'),
  payment_methods: readMethods('payment_methods'),
  payment: readPaymentStart,
}
export const readerOf = ({ path }: { path: string }) => readers[path] ?? readPaymentStatus

export const flags = [
  ...(['is_pickup', 'is_servicepoint', 'is_cash_on_delivery', 'post_payment', 'invoice_external'] as const),
]

type Flags = Record<(typeof flags)[number], boolean>

/** A method as a provider answered it and the sandbox read it. */
export interface Method extends Flags {
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
function readList(given: unknown, key: MethodKey) {
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
    const { id } = one as { id?: unknown }
    const isId = typeof id === 'number' || (typeof id === 'string' && id !== '')
    read.methods.push(methodOf(one, isId ? String(id) : `method-${index + 1}`))
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
    ...(Object.fromEntries(flags.map((name) => [name, set(method[name])])) as Flags),
    data: typeof data === 'object' && data && !Array.isArray(data) ? { ...data } : {},
  }
}
