import { isLive, learn, noteStart, openAttempt } from '../payments/ledger.ts'
import type { Attempt, Payment } from '../payments/payment.ts'
import type { Shop } from '../shops/shop.ts'
import type { OwedNotification, Store } from '../store.ts'

interface Owed extends Omit<OwedNotification, 'webhookUrl' | 'version' | 'owner'> {
  owner: string | undefined
  dueAt: number | undefined
}

/** Keeps everything in this process and nothing on disk. For tests. */
export function memoryStore(): Store {
  const shops = new Map<string, Shop>()
  const endpoints = new Map<string, { shopId: string; sealedToken: string }>()
  const payments = new Map<string, Payment>()
  const checks = new Map<string, number>()
  const owed = new Map<string, Owed>()

  const key = (shopId: string, orderId: string) => JSON.stringify([shopId, orderId])
  const allAttempts = () => [...payments.values()].flatMap(({ attempts }) => attempts)
  const ofShop = (shopId: string) => allAttempts().filter((attempt) => attempt.shopId === shopId)

  function mustLoad(shopId: string, orderId: string): Payment {
    const payment = payments.get(key(shopId, orderId))
    if (!payment) throw new TypeError('This shop has no payment for this order')
    return payment
  }

  function save(payment: Payment, now: number): void {
    const { shopId, orderId } = payment
    const before = payments.get(key(shopId, orderId))
    payments.set(key(shopId, orderId), payment)
    if (payment.statusVersion > (before?.statusVersion ?? 0)) {
      owed.set(key(shopId, orderId), {
        shopId,
        orderId,
        dueAt: now,
        owedSince: now,
        tries: 0,
        owner: undefined,
      })
    }
  }

  const held = ({ shopId, orderId, owner }: { shopId: string; orderId: string; owner: string }) => {
    const one = owed.get(key(shopId, orderId))
    return one?.owner === owner ? one : undefined
  }

  const due = (at: number | undefined, now: number) => at !== undefined && at <= now

  return {
    async open() {},
    async close() {},
    async check() {},

    async ensureShop(shopId, { tokenHash, sealedToken }) {
      const shop = shops.get(shopId) ?? { id: shopId, platformId: undefined, language: undefined }
      shops.set(shopId, shop)
      const there = [...endpoints.values()].find((endpoint) => endpoint.shopId === shopId)
      if (!there) endpoints.set(tokenHash, { shopId, sealedToken })
      return { shop, sealedToken: there?.sealedToken ?? sealedToken }
    },
    async shopByEndpoint(tokenHash) {
      const endpoint = endpoints.get(tokenHash)
      return endpoint && shops.get(endpoint.shopId)
    },
    async noteShop(shopId, seen) {
      const shop = shops.get(shopId)
      if (!shop) throw new TypeError('There is no such shop')
      const noted = {
        ...shop,
        platformId: shop.platformId ?? seen.platformId,
        language: seen.language ?? shop.language,
      }
      shops.set(shopId, noted)
      return noted
    },

    async openAttempt(open) {
      const opened = openAttempt(payments.get(key(open.shopId, open.orderId)), open)
      save(opened.payment, open.now)
      if (opened.outcome === 'opened') checks.set(opened.attempt.id, opened.attempt.expiresAt)
      return opened
    },
    async noteStart(shopId, orderId, attemptId, started, expiresAt) {
      const payment = noteStart(mustLoad(shopId, orderId), attemptId, started, expiresAt)
      const attempt = payment.attempts.find(({ id }) => id === attemptId)
      if (!attempt) throw new TypeError('This payment has no such attempt')
      payments.set(key(shopId, orderId), payment)
      if (isLive(attempt)) checks.set(attemptId, attempt.expiresAt)
      return attempt
    },
    async learn(shopId, orderId, attemptId, facts, now) {
      const learned = learn(mustLoad(shopId, orderId), attemptId, facts)
      save(learned.payment, now)
      const attempt = learned.payment.attempts.find(({ id }) => id === attemptId)
      if (attempt && !isLive(attempt)) checks.delete(attemptId)
      return learned
    },
    async payment(shopId, orderId) {
      return payments.get(key(shopId, orderId))
    },
    async attempt(shopId, attemptId) {
      return ofShop(shopId).find(({ id }) => id === attemptId)
    },
    async attemptByReference(shopId, adapter, reference) {
      return ofShop(shopId).find((one) => one.adapter === adapter && one.started?.reference === reference)
    },
    async attemptByPageToken(pageToken) {
      const attempt = allAttempts().find((one) => one.pageToken === pageToken)
      return attempt && { attempt, payment: mustLoad(attempt.shopId, attempt.orderId) }
    },

    async claimNotifications({ now, leaseUntil, limit, owner }) {
      return [...owed.values()]
        .filter(({ dueAt }) => due(dueAt, now))
        .sort((one, other) => one.dueAt! - other.dueAt!)
        .slice(0, limit)
        .map((one) => {
          Object.assign(one, { dueAt: leaseUntil, owner })
          const { webhookUrl, statusVersion } = mustLoad(one.shopId, one.orderId)
          const { shopId, orderId, tries, owedSince } = one
          return { shopId, orderId, owner, webhookUrl, version: statusVersion, tries, owedSince }
        })
    },
    async settleNotification(notification, version) {
      const { shopId, orderId } = notification
      const payment = mustLoad(shopId, orderId)
      const notifiedVersion = Math.max(payment.notifiedVersion, version)
      payments.set(key(shopId, orderId), { ...payment, notifiedVersion })
      if (held(notification) && payment.statusVersion <= notifiedVersion) owed.delete(key(shopId, orderId))
    },
    async postponeNotification(notification, dueAt) {
      const one = held(notification)
      if (one) Object.assign(one, { dueAt, tries: one.tries + 1, owner: undefined })
    },
    async nextNotificationDue() {
      const times = [...owed.values()].flatMap(({ dueAt }) => dueAt ?? [])
      return times.length > 0 ? Math.min(...times) : undefined
    },
    async countNotifications() {
      const dead = [...owed.values()].filter(({ dueAt }) => dueAt === undefined).length
      return { owed: owed.size - dead, dead }
    },

    async claimExpired({ now, leaseUntil, limit }) {
      const expired: Attempt[] = allAttempts()
        .filter(({ id }) => due(checks.get(id), now))
        .sort((one, other) => checks.get(one.id)! - checks.get(other.id)!)
        .slice(0, limit)
      for (const { id } of expired) checks.set(id, leaseUntil)
      return expired
    },
  }
}
