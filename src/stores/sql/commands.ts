import type { Kysely } from 'kysely'
import { factKey } from '../../payments/facts.ts'
import {
  isLive,
  type Learned,
  learn,
  noteStart,
  type OpenAttempt,
  type Opened,
  openAttempt,
} from '../../payments/ledger.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import type { Shop } from '../../shops/shop.ts'
import type { OwedNotification, Store } from '../../store.ts'
import { sqlQueries } from './queries.ts'
import { all, type Command, first } from './query.ts'
import { attemptFrom, attemptRow, factFrom, shopFrom } from './rows.ts'
import type { Tables } from './tables.ts'

type Arguments<Name extends keyof Store> = Parameters<Store[Name]>

/** The commands of the store port on SQL. Each is one transaction; what a payment becomes is decided by the ledger. */
export function sqlCommands(db: Kysely<Tables>) {
  const { select, write } = sqlQueries(db)

  function* load(shopId: string, orderId: string): Command<Payment | undefined> {
    const row = yield* first(select.payment, { shopId, orderId })
    if (!row) return undefined
    const facts = yield* all(select.facts, { shopId, orderId })
    const attempts = (yield* all(select.attempts, { shopId, orderId })).map((attempt) =>
      attemptFrom(attempt, facts.filter((fact) => fact.attempt_id === attempt.id).map(factFrom)),
    )
    return {
      shopId,
      orderId,
      status: row.status,
      statusVersion: row.status_version,
      notifiedVersion: row.notified_version,
      redirectUrl: row.redirect_url,
      webhookUrl: row.webhook_url,
      attempts,
    }
  }

  function* mustLoad(shopId: string, orderId: string): Command<Payment> {
    const payment = yield* load(shopId, orderId)
    if (!payment) throw new TypeError('This shop has no payment for this order')
    return payment
  }

  function* save(payment: Payment, now: number, before: Payment | undefined): Command<void> {
    const { attempts, ...fields } = payment
    yield* all(write.payment, { ...fields, now })
    if (payment.statusVersion > (before?.statusVersion ?? 0)) {
      const { shopId, orderId } = payment
      yield* all(write.owed, { shopId, orderId, now, tries: 0 })
    }
  }

  function* findAttempt(row: { shop_id: string; order_id: string; id: string } | undefined) {
    if (!row) return undefined
    const payment = yield* mustLoad(row.shop_id, row.order_id)
    return { payment, attempt: payment.attempts.find(({ id }) => id === row.id) as Attempt }
  }

  return {
    *ensureShop(
      ...[shopId, endpoint]: Arguments<'ensureShop'>
    ): Command<{ shop: Shop; sealedToken: string }> {
      yield* all(write.shop, { shopId, now: endpoint.now })
      const there = yield* first(select.endpointOf, { shopId })
      if (!there) yield* all(write.endpoint, { shopId, ...endpoint })
      const shop = shopFrom((yield* first(select.shop, { shopId }))!)
      return { shop, sealedToken: there?.sealed_token ?? endpoint.sealedToken }
    },

    *shopByEndpoint(...[tokenHash]: Arguments<'shopByEndpoint'>): Command<Shop | undefined> {
      const row = yield* first(select.shopByEndpoint, { tokenHash })
      return row && shopFrom(row)
    },

    *noteShop(...[shopId, seen]: Arguments<'noteShop'>): Command<Shop> {
      const row = yield* first(write.seen, { shopId, ...seen })
      if (!row) throw new TypeError('There is no such shop')
      return shopFrom(row)
    },

    *openAttempt(...[open]: Arguments<'openAttempt'>): Command<Opened> {
      const before = yield* load(open.shopId, open.orderId)
      const opened = openAttempt(before, open as OpenAttempt)
      yield* save(opened.payment, open.now, before)
      if (opened.outcome === 'opened') {
        yield* all(write.attempt, attemptRow(opened.attempt, opened.payment.attempts.length))
      }
      return opened
    },

    *noteStart(
      ...[shopId, orderId, attemptId, started, expiresAt]: Arguments<'noteStart'>
    ): Command<Attempt> {
      const before = yield* mustLoad(shopId, orderId)
      const payment = noteStart(before, attemptId, started, expiresAt)
      const attempt = payment.attempts.find(({ id }) => id === attemptId)
      if (!attempt) throw new TypeError('This payment has no such attempt')
      const checkAt = isLive(attempt) ? expiresAt : null
      yield* all(write.start, { shopId, attemptId, ...started, expiresAt, checkAt })
      return attempt
    },

    *learn(...[shopId, orderId, attemptId, facts, now]: Arguments<'learn'>): Command<Learned> {
      const before = yield* mustLoad(shopId, orderId)
      const learned = learn(before, attemptId, facts)
      if (learned.added.length === 0) return learned
      for (const { at, ...fact } of learned.added) {
        yield* all(write.fact, { shopId, orderId, attemptId, key: factKey(fact), at, ...fact })
      }
      const attempt = learned.payment.attempts.find(({ id }) => id === attemptId)
      if (attempt && !isLive(attempt)) yield* all(write.closeAttempt, { shopId, attemptId })
      yield* save(learned.payment, now, before)
      return learned
    },

    payment: load,

    *attempt(...[shopId, attemptId]: Arguments<'attempt'>): Command<Attempt | undefined> {
      return (yield* findAttempt(yield* first(select.attemptById, { shopId, attemptId })))?.attempt
    },

    *attemptByReference(
      ...[shopId, adapter, reference]: Arguments<'attemptByReference'>
    ): Command<Attempt | undefined> {
      return (yield* findAttempt(yield* first(select.attemptByReference, { shopId, adapter, reference })))
        ?.attempt
    },

    *attemptByPageToken(
      ...[pageToken]: Arguments<'attemptByPageToken'>
    ): Command<{ attempt: Attempt; payment: Payment } | undefined> {
      return yield* findAttempt(yield* first(select.attemptByPageToken, { pageToken }))
    },

    *claimNotifications(...[claim]: Arguments<'claimNotifications'>): Command<OwedNotification[]> {
      const owed: OwedNotification[] = []
      for (const row of yield* all(write.claim, claim)) {
        const payment = yield* first(select.payment, { shopId: row.shop_id, orderId: row.order_id })
        owed.push({
          shopId: row.shop_id,
          orderId: row.order_id,
          owner: claim.owner,
          webhookUrl: payment!.webhook_url,
          version: payment!.status_version,
          tries: row.tries,
          owedSince: row.owed_since,
        })
      }
      return owed
    },

    *settleNotification(
      ...[{ shopId, orderId, owner }, version]: Arguments<'settleNotification'>
    ): Command<void> {
      const row = yield* first(write.notified, { shopId, orderId, version })
      // A status that changed during the call made the notification due anew and took it from its holder.
      if (!row || row.status_version <= version) yield* all(write.settle, { shopId, orderId, owner })
    },

    *postponeNotification(
      ...[{ shopId, orderId, owner }, dueAt]: Arguments<'postponeNotification'>
    ): Command<void> {
      yield* all(write.postpone, { shopId, orderId, owner, dueAt })
    },

    *nextNotificationDue(): Command<number | undefined> {
      return (yield* first(select.nextDue, {}))?.due_at ?? undefined
    },

    *countNotifications(): Command<{ owed: number; dead: number }> {
      const { owed, dead } = (yield* first(select.counts, {}))!
      return { owed, dead }
    },

    *claimExpired(...[claim]: Arguments<'claimExpired'>): Command<Attempt[]> {
      const attempts: Attempt[] = []
      for (const { shop_id: shopId, id: attemptId } of yield* all(write.claimExpired, claim)) {
        const found = yield* findAttempt(yield* first(select.attemptById, { shopId, attemptId }))
        if (found) attempts.push(found.attempt)
      }
      return attempts
    },
  } satisfies {
    [Name in Exclude<keyof Store, 'open' | 'close' | 'check'>]: (
      ...args: Arguments<Name>
    ) => Command<Awaited<ReturnType<Store[Name]>>>
  }
}

export type SqlCommands = ReturnType<typeof sqlCommands>
