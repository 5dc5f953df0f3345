import type { OpenAttempt } from '../../../src/payments/open.ts'
import type { Attempt } from '../../../src/payments/payment.ts'
import type { DeliveryCall, StorePort } from '../../../src/store-port.ts'

/** What holds of every store, by a plain sentence each. */
export type StoreCases = Record<string, (store: StorePort) => Promise<void>>

export const start = Date.UTC(2026, 0, 1)
export const minute = 60_000

export const endpoint = (name: string, now = start) => ({
  tokenHash: name,
  sealedToken: `sealed ${name}`,
  now,
})

export const webhookKey = (id: string, now = start) => ({ id, sealed: `sealed ${id}`, now })

let opened = 0
export const open = (changes: Partial<OpenAttempt> = {}): OpenAttempt => {
  const number = ++opened
  return {
    shopId: 'default',
    orderId: '1001',
    orderNumber: 'ORD1001',
    adapter: 'psp',
    methodId: 'card',
    amount: '29.34',
    currency: 'eur',
    mode: 'live',
    authorisedIsPaid: false,
    underpaidBy: undefined,
    language: 'nl',
    redirectUrl: 'https://shop.example/return?order=1001',
    webhookUrl: 'https://shop.example/webhook?order=1001',
    now: start,
    attemptId: `default.${number}`,
    idempotencyKey: `key-${number}`,
    pageHash: `page-${number}`,
    expiresAt: start + 60 * minute,
    checkAt: start + 60 * minute,
    ...changes,
  }
}

export const paid = { word: 'paid', amount: '29.34', currency: 'eur' } as const
export const cancelled = { word: 'cancelled' } as const
export const redirect = {
  how: 'redirect',
  paymentUrl: 'https://psp.example/1',
  urlExpiresAt: undefined,
  reference: 'tr_1',
} as const
export const times = (minutes: number) => ({
  expiresAt: start + minutes * minute,
  checkAt: start + minutes * minute,
})
export const claim = { now: start, leaseUntil: start + minute, limit: 10, perLane: 10, owner: 'a' }
export const delivered = (at = start): DeliveryCall => ({
  at,
  ms: 0,
  version: 1,
  status: 200,
  failure: undefined,
  answer: 'ok',
})
export const failed = (at = start): DeliveryCall => ({ ...delivered(at), status: 500, failure: 'status 500' })
export const again = (dueAt?: number) => ({ dueAt, retryAfter: undefined })

/** Opens an attempt that its order owes a webhook for, since a fact about it is reported at once. */
export async function openOwed(
  store: StorePort,
  changes: Partial<OpenAttempt> = {},
  fact: typeof paid | typeof cancelled = paid,
): Promise<Attempt> {
  const { attempt } = await store.openAttempt(open(changes))
  const { shopId, orderId, now = start } = { ...attempt, ...changes }
  await store.learn(shopId, orderId, attempt.id, [fact], { source: 'report', now })
  return attempt
}

/** One member of each in a list. */
export const each = <T, Key extends keyof T>(list: readonly T[], key: Key): T[Key][] =>
  list.map((one) => one[key])
