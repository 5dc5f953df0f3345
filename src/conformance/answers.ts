import { paymentStatuses } from '../contract/index.ts'
import type { Message } from '../messages/exact.ts'
import { type Exchange, expectThat, Skip, shown, statusOf, succeeded } from './exchange.ts'

/** A message that must be answered. */
export type MessagePath = 'shipment_methods' | 'payment_methods' | 'payment'

/** A payment method as the provider offered it, and as the sandbox's shop reads it. */
export interface Offered {
  id: string
  title: string
  data: Record<string, unknown>
}

/** A payment that was started for a marked test order. */
export interface Started {
  orderId: number
  message: Message
  exchange: Exchange
  /** `undefined` if the answer has none. */
  paymentUrl: string | undefined
  redirectUrl: string
  webhookUrl: string
  webhookPath: string
}

/** A test order whose payment the provider has started, with the page of each start. */
export interface AcceptedStart {
  orderId: number
  paymentUrls: ReadonlySet<string>
  webhookPath: string
}

/** The lists of methods that a checkout asks for. */
export const lists = [
  { about: 'rates', path: 'shipment_methods', words: 'shipping methods' },
  { about: 'payments', path: 'payment_methods', words: 'payment methods' },
] as const

/** Faults that several cases run into. */
export const faults = {
  noStatus: 'no status',
  statusWord: 'another word than the four statuses',
  notPaid: 'a payment that is not paid after its page',
  notCancelled: 'a payment that is not cancelled after its page',
  noWebhook: 'no webhook',
  paidAtStart: 'paid before the customer has paid',
  oneAddress: 'one payment_url for all orders',
  unknownOrder: 'a status for an order that was never started',
  kept: 'answers that a cache may store',
} as const

export const noAnswerTo = (path: MessagePath): string => `no answer to ${path}`
export const noListOf = (path: MessagePath): string => `no list in the answer to ${path}`

/** The fields of a parsed answer; none of one that is no object. */
export const fieldsOf = (json: unknown): Message => Object(json)

/** Whether an answer holds a list of methods, also one that PHP has written as an object. */
export const isList = (json: unknown, key: string): boolean =>
  typeof fieldsOf(json)[key] === 'object' && fieldsOf(json)[key] !== null

/** Everything in a list of an answer. */
export const itemsIn = (json: unknown, key: string): unknown[] =>
  isList(json, key) ? Object.values(fieldsOf(json)[key]) : []

/** The objects of such a list. */
export const listIn = (json: unknown, key: string): Message[] =>
  itemsIn(json, key).filter((one): one is Message => typeof one === 'object' && one !== null)

/** The reason why an exchange is no answer, beside the answer to the plain message. `undefined` if it is one. */
export function missingIn(path: MessagePath, exchange: Exchange, plain: Exchange): string | undefined {
  if (!succeeded(exchange)) return statusOf(exchange)
  if (path === 'payment') {
    const isMissing = fieldsOf(plain.json).payment_url && !fieldsOf(exchange.json).payment_url
    return isMissing ? `${statusOf(exchange)} without payment_url` : undefined
  }
  const isAsPlain = exchange.text.trim() === '' && plain.text.trim() === ''
  const isAnswer = isAsPlain || isList(exchange.json, path)
  return isAnswer ? undefined : `${statusOf(exchange)} and ${shown(exchange.text)}`
}

export const isAddress = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\/\S+$/.test(url) && URL.canParse(url)

/** The address of a payment. Throws a `Skip` for one that was started without it. */
export function addressOf({ paymentUrl }: Pick<Started, 'paymentUrl'>): string {
  if (paymentUrl === undefined) throw new Skip('The payment was started without a payment_url')
  return paymentUrl
}

export const isWord = (status: string): boolean => paymentStatuses.some((word) => word === status)

/** Throws unless the answer is labelled as JSON, and a `Skip` for one that is not JSON. The label is one fault in all answers. */
export function expectJson(exchange: Exchange): void {
  if (exchange.json === undefined) throw new Skip('The answer is not JSON')
  const type = exchange.answerHeaders['content-type'] ?? 'no Content-Type'
  const holds = /^application\/([\w.-]+\+)?json\b/i.test(type)
  expectThat(holds, 'application/json', type, exchange, 'JSON with another label')
}

/** Throws unless no cache stores the answer: its `Cache-Control` has to match, or at least not to allow it. */
export function expectNotKept(exchange: Exchange, isOff?: RegExp): void {
  const kept = exchange.answerHeaders['cache-control'] ?? 'no Cache-Control'
  const fault = /public|max-age=[1-9]/.test(kept) ? faults.kept : undefined
  expectThat(isOff?.test(kept) ?? fault === undefined, 'no-store', kept, exchange, fault)
}
