import type { Payment } from '../../payments/ledger/payment.ts'
import { laneCalls } from '../../queue/lane-calls.ts'
import type { Claim } from '../../queue/lane-claims.ts'
import { anew } from '../../queue/lane-queries.ts'
import { webhookLane, webhookPace } from '../../queue/lanes.ts'
import { type Db, matching, ofOrder, value } from '../../store/columns.ts'
import {
  alone,
  type Command,
  first,
  holding,
  inGroups,
  orderKey,
  patient,
  read,
  type Step,
  write,
} from '../../store/query.ts'
import {
  type Delivered,
  type DeliveryCall,
  type DeliveryCommands,
  type OwedRow,
  type OwedWebhook,
  owedColumns,
  owedFrom,
} from './deliveries.ts'

type Owing = Pick<Payment, 'shopId' | 'orderId' | 'webhookUrl' | 'statusVersion'> & {
  /** The status version before this one. */
  before: number
}

/**
 * Whether an answer of a receiver is about a single order: 4xx except 408 and 429, which are about the receiver. Such an order waits alone,
 * and the answer proves that the receiver works.
 */
const isAboutOrder = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429

const callOf = ({ shopId, orderId, owner }: OwedWebhook) => ({ shopId, orderId, owner })
const endOf = ({ at, ms }: DeliveryCall): number => at + ms

const webhookLanes = (db: Db) =>
  laneCalls<OwedRow>(db, {
    calls: 'webhooks',
    key: ['shop_id', 'order_id'],
    reads: owedColumns,
    pace: webhookPace,
    probesAll: true,
    refusalOpens: true,
  })

/** Steps by which a webhook becomes owed, goes to another address, and is sent again. */
function oweSteps(db: Db, calls: ReturnType<typeof webhookLanes>) {
  // Without an owed webhook the version before was delivered. One that is owed already keeps its own.
  const owe = db.text<unknown>`insert into webhooks
        (shop_id, order_id, lane, webhook_url, version, due_at, owed_since, delivered_version)
      values (${value('shopId')}, ${value('orderId')}, ${value('lane')}, ${value('webhookUrl')}, ${value('version')},
        ${value('dueAt')}, ${value('owedSince')}, ${value('before')})
      on conflict (shop_id, order_id) do update set lane = excluded.lane, webhook_url = excluded.webhook_url,
        version = excluded.version, due_at = excluded.due_at, owed_since = excluded.owed_since, ${anew}`
  const owed = db.rowsBy('webhooks', ['shop_id', 'order_id'])
  // The answer of another address does not matter here. A dead letter stays one.
  const move = db.text<unknown>`
    update webhooks set lane = ${value('lane')}, webhook_url = ${value('webhookUrl')}, ${anew},
        due_at = case when due_at is not null then cast(${value('now')} as bigint) end
      where ${ofOrder}`

  /** Owes the platform a webhook of the payment. Its order is held. */
  function owing(
    { shopId, orderId, webhookUrl, statusVersion: version, before }: Owing,
    now: number,
    dueAt = now,
  ): Step[] {
    const names = webhookLane(shopId, webhookUrl)
    const { lane } = names
    return [
      owe({ shopId, orderId, lane, webhookUrl, version, before, dueAt, owedSince: now }),
      ...calls.lookSooner(names),
    ]
  }

  /** Another address was named: an owed webhook goes there at once, even while it is delivered to the old one. Its order is held. */
  function* moving({ shopId, orderId, webhookUrl }: Payment, now: number): Command<Step[]> {
    const row = yield* first(owed, { shopId, orderId })
    if (!row || row.webhook_url === webhookUrl) return []
    const names = webhookLane(shopId, webhookUrl)
    return [
      move({ shopId, orderId, lane: names.lane, webhookUrl, now }),
      ...calls.lookSooner(names),
      ...calls.lookSooner(webhookLane(shopId, row.webhook_url)),
    ]
  }

  /** A person sends a webhook again: its lane opens. */
  const opening = ({ shopId, webhookUrl }: Payment, now: number, more: readonly Step[]) =>
    calls.open(webhookLane(shopId, webhookUrl).lane, now, more)

  return { owing, moving, opening }
}

/** Stores owed webhooks, in lanes by shop and host. */
export function webhookCommands(db: Db, addCalls: DeliveryCommands['addCalls']) {
  const delivered = db.text<unknown>`update webhooks set delivered_version = ${value('version')}
      where ${ofOrder} and delivered_version < ${value('version')}`
  const settle = db.text<unknown>`delete from webhooks where ${matching('shop_id', 'order_id', 'owner')}
      and version <= ${value('version')}`
  const nextDue = db.text<{ next_due: number }>`
    select next_due from lanes where adapter = '' and next_due is not null order by next_due limit 1`
  const calls = webhookLanes(db)
  /** Deliveries that a damaged page stopped: the command runs again without them. */
  const stopped = new WeakSet<Delivered>()
  const valuesOf = ({ owed }: Delivered) => ({ ...callOf(owed), version: owed.version })
  const stop = (some: readonly Delivered[]) => {
    for (const one of some) stopped.add(one)
  }

  return {
    calls,
    ...oweSteps(db, calls),

    /**
     * Claims up to `limit` due webhooks, at most `perLane` of each lane, each until `leaseUntil`. A lane whose receiver fails gives one.
     * Orders that were refused themselves have a quarter of the places of a lane.
     */
    claimWebhooks: write(function* (claim: Claim): Command<OwedWebhook[]> {
      yield* alone()
      return (yield* calls.claim(claim, '')).map(owedFrom)
    }),

    /** Renews claims. A webhook that another process has taken over stays with it. */
    renewLeases: patient(function* (leased: readonly OwedWebhook[], leaseUntil: number): Command<void> {
      yield* calls.renew(leased.map(callOf), leaseUntil)
    }),

    /** The delivery succeeded for every status up to `owed.version`. The lane opens; what waited for it is due at once. */
    settleWebhook: patient(function* (webhook: OwedWebhook, call: DeliveryCall): Command<void> {
      const { shopId, orderId, version, lane } = webhook
      yield* holding(orderKey(shopId, orderId))
      // A status change during the delivery made the webhook due again and released its claim: it stays owed, with what was delivered.
      yield* calls.settle({ ...callOf(webhook), lane }, { is: 'done' }, endOf(call), [
        addCalls([{ owed: webhook, call }]),
        settle({ ...callOf(webhook), version }),
        delivered({ shopId, orderId, version }),
        ...calls.makeRoom([lane], endOf(call)),
      ])
    }),

    /**
     * As `settleWebhook` for many deliveries, by one commit. Resolves with those that it could not settle beside the others: their rows are
     * locked, their status has changed, another process has taken them over, or their success opens a lane. Settle each of them alone.
     *
     * Holds no order: it takes the rows of its calls, which their owner alone settles. It runs alone in its transaction, because what it has
     * settled decides what it returns.
     */
    settleWebhooks: write(function* (batch: readonly Delivered[]): Command<Delivered[]> {
      yield* alone()
      const whole = batch.filter((one) => !stopped.has(one))
      const settled = yield* calls.endMany(whole, valuesOf, stop)
      const groups = inGroups(settled)
      const lanes = new Set(settled.map(({ owed }) => owed.lane))
      const end = Math.max(...batch.map(({ call }) => endOf(call)))
      yield {
        steps: [...groups.map(addCalls), ...calls.makeRoom(lanes, end)],
        last: true,
        damagedAt: (index) => stop(groups[index] ?? whole),
      }
      const done = new Set(settled)
      return batch.filter((one) => !done.has(one))
    }),

    /**
     * The call failed: due again at `dueAt`, or a dead letter without it. An answer about a single order (4xx except 408 and 429) never
     * closes the lane, and opens a closed one; every other failure counts against the lane.
     */
    postponeWebhook: patient(function* (
      webhook: OwedWebhook,
      call: DeliveryCall,
      { dueAt, retryAfter }: { dueAt: number | undefined; retryAfter: number | undefined },
    ): Command<void> {
      const { failure, ms: took } = call
      yield* holding(orderKey(webhook.shopId, webhook.orderId))
      const is = isAboutOrder(call.status) ? 'refused' : 'failed'
      const outcome = { is, dueAt, failure, pause: retryAfter, took } as const
      const added = addCalls([{ owed: webhook, call }])
      yield* calls.settle({ ...callOf(webhook), lane: webhook.lane }, outcome, endOf(call), [added])
    }),

    /** The due time of the next owed webhook, in milliseconds since 1970. */
    nextWebhookDue: read(function* (): Command<number | undefined> {
      return (yield* first(nextDue, {}))?.next_due
    }),
  }
}

export type WebhookCommands = ReturnType<typeof webhookCommands>
