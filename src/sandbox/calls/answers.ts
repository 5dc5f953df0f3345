import {
  type FieldFault,
  faultsOf,
  type PaymentStatus,
  paymentStartAnswer,
  paymentStatuses,
} from '../../contract/index.ts'
import { jsonIn } from '../../contract/texts.ts'
import { type Method, type MethodKey, readList } from '../offered-method.ts'

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

/** Reads the list of methods under this key of an answer. */
export const readMethods =
  (key: MethodKey): Read<Method[]> =>
  (received, strict) => {
    const { body, faults } = readBody(received, 201)
    const kind = key.replace('_', ' ')
    const nothing = (reason = whatCounts(faults)): Reading<Method[]> => ({
      value: [],
      faults,
      meaning: because(`The customer sees no ${kind} of this provider`, reason),
    })
    if (!succeeded(received, strict.created ? 201 : undefined)) return nothing(refusalOf(faults))
    if (body === undefined) return nothing()
    const given = (body as Record<string, unknown>)[key]
    if (given === undefined) {
      faults.push({ path: key, message: missingFrom(body) })
      return nothing()
    }
    const { methods, leftOut, faults: ofMethods } = readList(given, key)
    if (!Array.isArray(given)) faults.push({ path: key, message: 'is not a list' })
    faults.push(...ofMethods)
    const [first] = leftOut
    if (methods.length === 0)
      return nothing(first ?? (Array.isArray(given) ? { path: key, message: 'is empty' } : undefined))
    if (strict.methods && ofMethods.length > 0) return nothing(first ?? ofMethods[0])
    const many = methods.length === 1 ? kind.replace(/s$/, '') : kind
    const others = faults.filter(({ path }) => !leftOut.some((out) => path.startsWith(out.path)))
    const fault = whatCounts(others)
    const although = fault ? `, although ${inWords(fault)}` : ''
    return {
      value: methods,
      faults,
      meaning: `The customer may choose from ${methods.length} ${many}${although}.${first ? ` ${leftOut.length} left out: ${inWords(first)}.` : ''}`,
    }
  }

/** The deviation with the largest effect: the body and what is in it before its status, and its label last. */
function whatCounts(faults: readonly FieldFault[]): FieldFault | undefined {
  const about = (...paths: string[]) => faults.find(({ path }) => paths.includes(path))
  const inBody = faults.find(({ path }) => !path.startsWith('('))
  return about('(call)') ?? inBody ?? about('(status)') ?? about('(content-type)')
}

/** Why an answer does not count at all. */
const refusalOf = (faults: readonly FieldFault[]): FieldFault | undefined =>
  faults.find(({ path }) => path === '(call)') ?? faults.find(({ path }) => path === '(status)')

const because = (sentence: string, fault: FieldFault | undefined): string =>
  fault ? `${sentence}: ${inWords(fault)}.` : `${sentence}.`

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

/** `null` without an address: the customer goes to the thank-you page. `undefined`: the payment was not started. */
export const readPaymentStart: Read<string | null | undefined> = (received, strict) => {
  const { body, faults } = readBody(received, 201)
  if (!succeeded(received, strict.created ? 201 : undefined)) {
    const meaning = because('The payment was not started and the customer may try again', refusalOf(faults))
    return { value: undefined, faults, meaning }
  }
  const checked = paymentStartAnswer.safeParse(body)
  if (body !== undefined && !checked.success) faults.push(...faultsOf(checked.error))
  const { payment_url: url } = (body ?? {}) as { payment_url?: unknown }
  if (checked.success && checked.data.payment_url)
    return { value: checked.data.payment_url, faults, meaning: 'The customer is sent to payment_url.' }
  const without = { path: 'payment_url', message: url ? 'is not an http or https address' : 'is missing' }
  const reason = body === undefined ? whatCounts(faults) : without
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
  const reason = succeeded(received) ? whatCounts(faults) : refusalOf(faults)
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

const readers: Record<string, Read<unknown>> = {
  shipment_methods: readMethods('shipment_methods'),
  payment_methods: readMethods('payment_methods'),
  payment: readPaymentStart,
}
/** The reader of the answers to a call, by its path. */
export const readerOf = ({ path }: { path: string }) => readers[path] ?? readPaymentStatus
