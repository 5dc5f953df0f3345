import type { OpenAttempt } from '../../../src/payments/ledger/open.ts'
import { type Attempt, inOrder } from '../../../src/payments/ledger/payment.ts'
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
    idempotencyKey: inOrder(changes.now ?? start, `-${number}`),
    pageHash: `page-${number}`,
    expiresAt: start + 60 * minute,
    checkAt: start + 60 * minute,
    ...changes,
  }
}

export const paid = { word: 'paid', amount: '29.34', currency: 'eur' } as const
export const cancelled = { word: 'cancelled' } as const
/** How a fact comes that somebody reports. */
export const asReported = { source: 'report', now: start } as const
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
/** The claim of another moment. */
export const at = (now: number) => ({ ...claim, now, leaseUntil: now + minute })
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
  await store.learn(shopId, orderId, attempt.id, [fact], { ...asReported, now })
  return attempt
}

/** Delivers each webhook that is due. */
export async function deliverAll(store: StorePort, now = start): Promise<void> {
  for (const owed of await store.claimWebhooks(at(now)))
    await store.settleWebhook(owed, { ...delivered(now), version: owed.version })
}

type Push = Parameters<StorePort['keepPush']>[0]
export const push = (key: string, changes: Partial<Push> = {}): Push => ({
  ...{ shopId: 'default', adapter: 'psp', key, sealed: 'a sealed text', receivedAt: start },
  ...changes,
})
/** Keeps a push of each key when it comes. */
export async function keep(
  store: StorePort,
  keys: readonly string[],
  changes: Partial<Push> = {},
): Promise<void> {
  for (const key of keys) await store.keepPush(push(key, changes), changes.receivedAt ?? start)
}

/** One member of each in a list. */
export const each = <T, Key extends keyof T>(list: readonly T[], key: Key): T[Key][] =>
  list.map((one) => one[key])
