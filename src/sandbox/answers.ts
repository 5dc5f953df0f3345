import type { z } from 'zod'
import {
  type FieldFault,
  faultsOf,
  type PaymentStatus,
  paymentMethod,
  paymentStartAnswer,
  paymentStatuses,
  shipmentMethod,
} from '../contract/index.ts'
import { jsonIn } from '../contract/json.ts'
import { type Decimal, readDecimal } from '../money/index.ts'

// Reads a provider's answers as the platform does: tolerantly, because live providers deviate in many ways, and with the path of every
// deviation from the contract.

export interface Received {
  /** Not set without an answer. */
  status: number | undefined
  contentType: string
  text: string
  /** The reason for no answer, such as "no answer within 20 s". */
  failure: string | undefined
}

/** A method as a provider answered it and the sandbox read it. */
export interface Method {
  id: string
  title: string
  description: string
  address: string
  icon: string
  price_incl: Decimal
  price_excl: Decimal
  is_pickup: boolean
  is_servicepoint: boolean
  is_cash_on_delivery: boolean
  post_payment: boolean
  invoice_external: boolean
  /** The provider's data; hidden from the customer, and stored with the order. */
  data: Record<string, unknown>
}

interface Reading<T> {
  value: T
  faults: FieldFault[]
  meaning: string
}

/** The strictness of the platform, where live ones differ. */
interface Strictness {
  /** Whether a 200 in place of 201 is an error. */
  created: boolean
  /** Whether one invalid method drops the whole list. */
  methods: boolean
}

export type Read<T> = (received: Received, strict: Strictness) => Reading<T>

export const readShipmentMethods: Read<Method[]> = (received, strict) =>
  readMethods(received, strict, 'shipment_methods', shipmentMethod)

export const readPaymentMethods: Read<Method[]> = (received, strict) =>
  readMethods(received, strict, 'payment_methods', paymentMethod)

function readMethods(
  received: Received,
  strict: Strictness,
  key: string,
  schema: z.ZodType,
): Reading<Method[]> {
  const { body, faults } = readBody(received, 201)
  const kind = key.replace('_', ' ')
  const nothing = (): Reading<Method[]> => ({
    value: [],
    faults,
    meaning: because(`The customer sees no ${kind} of this provider`, faults),
  })
  if (!succeeded(received, strict.created ? 201 : undefined)) return nothing()
  const given = (body as Record<string, unknown> | undefined)?.[key]
  if (given === undefined) {
    if (body !== undefined) faults.push({ path: key, message: missingFrom(body) })
    return nothing()
  }
  let list: unknown[] = []
  if (Array.isArray(given)) list = given
  else {
    faults.push({ path: key, message: 'is not a list' })
    if (typeof given === 'object' && given !== null) list = Object.values(given)
  }
  const methods: Method[] = []
  for (const [place, one] of list.entries()) {
    const checked = schema.safeParse(one)
    if (!checked.success)
      faults.push(
        ...faultsOf(checked.error).map((fault) => ({ ...fault, path: inside(key, place, fault.path) })),
      )
    const method = readMethod(one, place)
    if (method) methods.push(method)
  }
  const dropped = list.length - methods.length
  if (methods.length === 0 || (strict.methods && faults.length > 0)) return nothing()
  const leftOut = dropped > 0 ? ` ${dropped} left out: without title or price.` : ''
  const many = methods.length === 1 ? kind.replace(/s$/, '') : kind
  const although = faults[0] ? `, although ${inWords(faults[0])}` : ''
  return {
    value: methods,
    faults,
    meaning: `The customer may choose from ${methods.length} ${many}${although}.${leftOut}`,
  }
}

function because(sentence: string, faults: FieldFault[]): string {
  const status = faults.find(({ path }) => path === '(status)')
  const refused = status?.message.match(/^is ([45]|a redirect)/)
  const fault = refused ? status : (faults.find(({ path }) => path !== '(status)') ?? status)
  return fault ? `${sentence}: ${inWords(fault)}.` : `${sentence}.`
}

function inWords({ path, message }: FieldFault): string {
  if (path === '(call)') return message
  return `${path === '$' ? 'the answer' : path.replace(/[()]/g, '')} ${message}`
}

/** Names the key found instead, if it looks like a name: other platforms have other words. */
function missingFrom(body: unknown): string {
  const [first] = Array.isArray(body) ? [] : Object.keys(body as object)
  if (Array.isArray(body)) return 'is missing, the answer is a list'
  return first !== undefined && /^\w{1,40}$/.test(first)
    ? `is missing, there is ${first} instead`
    : 'is missing'
}

const inside = (key: string, place: number, path: string) =>
  `${key}[${place}]${path === '$' ? '' : `.${path}`}`

function readMethod(value: unknown, place: number): Method | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const method = value as Record<string, unknown>
  const price_incl = readDecimal(method.price_incl)
  if (typeof method.title !== 'string' || price_incl === undefined || price_incl.startsWith('-'))
    return undefined
  const text = (field: unknown) => (typeof field === 'string' ? field : '')
  const set = (field: unknown) => field === true || field === 1 || field === '1'
  return {
    id: method.id === undefined || method.id === null ? `method-${place + 1}` : String(method.id),
    title: method.title,
    description: text(method.description),
    address: text(method.address),
    icon: text(method.icon),
    price_incl,
    price_excl: readDecimal(method.price_excl) ?? price_incl,
    is_pickup: set(method.is_pickup),
    is_servicepoint: set(method.is_servicepoint),
    is_cash_on_delivery: set(method.is_cash_on_delivery),
    post_payment: set(method.post_payment),
    invoice_external: set(method.invoice_external),
    data:
      typeof method.data === 'object' && method.data && !Array.isArray(method.data) ? { ...method.data } : {},
  }
}

/** `null` without an address: the customer goes to the thank-you page. `undefined`: the payment was not started. */
export const readPaymentStart: Read<string | null | undefined> = (received, strict) => {
  const { body, faults } = readBody(received, 201)
  if (!succeeded(received, strict.created ? 201 : undefined)) {
    const meaning = because('The payment was not started and the customer may try again', faults)
    return { value: undefined, faults, meaning }
  }
  const checked = paymentStartAnswer.safeParse(body)
  if (body !== undefined && !checked.success) faults.push(...faultsOf(checked.error))
  const url = checked.success ? checked.data.payment_url : undefined
  return url
    ? { value: url, faults, meaning: 'The customer is sent to payment_url.' }
    : {
        value: null,
        faults,
        meaning: because('The customer goes to the thank-you page, not paid yet', [
          ...faults,
          { path: 'payment_url', message: 'is missing' },
        ]),
      }
}

/** `undefined`: the order keeps the status it has. */
export const readPaymentStatus: Read<PaymentStatus | undefined> = (received) => {
  const { body, faults } = readBody(received, 200)
  const status = (body as { status?: unknown } | undefined)?.status
  const known = paymentStatuses.find((one) => one === status)
  if (known && succeeded(received)) {
    return { value: known, faults, meaning: `The payment of the order is ${known}.` }
  }
  if (body !== undefined)
    faults.push({ path: 'status', message: `is not one of ${paymentStatuses.join(', ')}` })
  if (status === 'unpaid') {
    return { value: undefined, faults, meaning: 'Not finished: the order keeps the status it has.' }
  }
  return { value: undefined, faults, meaning: because('The order keeps the status it has', faults) }
}

const succeeded = ({ status, failure }: Received, exactly?: number) =>
  failure === undefined && status !== undefined && (exactly === undefined ? status < 300 : status === exactly)

function readBody(received: Received, expected: number): { body: unknown; faults: FieldFault[] } {
  const faults: FieldFault[] = []
  const { status, contentType, text } = received
  if (received.failure !== undefined) faults.push({ path: '(call)', message: received.failure })
  if (status === undefined) return { body: undefined, faults }
  if (status !== expected)
    faults.push({ path: '(status)', message: `is ${status}, the contract says ${expected}` })
  if (status >= 300 && status < 400)
    faults.unshift({ path: '(status)', message: 'is a redirect, which is not followed' })
  if (text.trim() === '') {
    faults.push({ path: '$', message: 'is empty' })
    return { body: undefined, faults }
  }
  const body = jsonIn(text)
  if (body === undefined) {
    faults.push({ path: '$', message: /^\s*</.test(text) ? 'is HTML, not JSON' : 'is not JSON' })
    return { body, faults }
  }
  const type = contentType || 'missing'
  if (!/json/i.test(contentType))
    faults.push({ path: '(content-type)', message: `is ${type}, the contract says application/json` })
  if (typeof body === 'object' && body !== null) return { body, faults }
  faults.push({ path: '$', message: 'is not an object' })
  return { body: undefined, faults }
}
