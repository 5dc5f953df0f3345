import { paymentStatuses } from '../contract/index.ts'
import type { Message } from '../messages/exact.ts'
import type { Method } from '../sandbox/calls/answers.ts'
import { type Exchange, Skip, shown } from './exchange.ts'

export type MessagePath = 'shipment_methods' | 'payment_methods' | 'payment'

/** A payment method as the provider offered it, and as the sandbox's shop reads it. */
export type Offered = Pick<Method, 'id' | 'title' | 'data'>

/** A payment that was started for a marked test order. */
export interface Started {
  orderId: number
  message: Message
  exchange: Exchange
  /** `undefined` if the answer has none. */
  paymentUrl: string | undefined
}

export const lists = [
  { about: 'rates', path: 'shipment_methods', words: 'shipping methods' },
  { about: 'payments', path: 'payment_methods', words: 'payment methods' },
] as const

/** Faults that several cases run into. */
export const faults = {
  noStatus: 'no status',
  statusWord: 'a word that is not one of the four statuses',
  notPaid: 'a payment that is not paid after its page',
  notCancelled: 'a payment that is not cancelled after its page',
  noWebhook: 'no webhook',
  paidAtStart: 'paid before the customer has paid',
  oneAddress: 'one payment_url for all orders',
  unknownOrder: 'a status for an order that was never started',
} as const

export const noAnswerTo = (path: MessagePath): string => `no answer to ${path}`
export const noListOf = (path: MessagePath): string => `no list in the answer to ${path}`

/** The reason why an exchange is no answer, beside the answer to the plain message. `undefined` if it is one. */
export function missingIn(path: MessagePath, exchange: Exchange, plain: Exchange): string | undefined {
  if (!exchange.succeeded) return exchange.said
  if (path === 'payment') {
    const isMissing = plain.fields.payment_url && !exchange.fields.payment_url
    return isMissing ? `${exchange.said} without payment_url` : undefined
  }
  const isAsPlain = exchange.text.trim() === '' && plain.text.trim() === ''
  const isAnswer = isAsPlain || exchange.hasList(path)
  return isAnswer ? undefined : `${exchange.said} and ${shown(exchange.text)}`
}

export const isAddress = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\/\S+$/.test(url) && URL.canParse(url)

/** The address of a payment. Throws a `Skip` for one that was started without it. */
export function addressOf({ paymentUrl }: Pick<Started, 'paymentUrl'>): string {
  if (paymentUrl === undefined) throw new Skip('The payment was started without a payment_url')
  return paymentUrl
}

export const isWord = (status: string): boolean => paymentStatuses.some((word) => word === status)
