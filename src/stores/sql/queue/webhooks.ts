import { sql } from 'kysely'
import {
  afterFailure,
  freshLane,
  isAboutOrder,
  isClosed,
  laneName,
  webhookPace,
} from '../../../payments/lane.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { Claim, Delivered, DeliveryCall, LeasedOrder, OwedWebhook } from '../../../store/webhooks.ts'
import { type Db, isServer, matching, ofOrder, prepareText, rowsBy } from '../columns.ts'
import { patient, read, write } from '../port.ts'
import { alone, ask, type Command, first, holding, lastly, orderKey, type Step, together } from '../query.ts'
import { owedColumns, owedFrom } from './call-rows.ts'
import type { DeliveryCommands } from './deliveries.ts'
import { LaneCalls } from './lane-calls.ts'
import { endedLanes, endOf, settleInProcess, settleOnServer } from './settle-webhooks.ts'

type Owing = Pick<Payment, 'shopId' | 'orderId' | 'webhookUrl' | 'statusVersion'> & {
  /** The status version before this one. */
  before: number
}

const oweQueries = (db: Db) => ({
  // Without an owed webhook the version before was delivered. One that is owed already keeps its own.
  owe: prepareText(db)<unknown>(
    (value) => sql`insert into webhooks
        (shop_id, order_id, lane, webhook_url, version, due_at, owed_since, delivered_version, tries)
      values (${value('shopId')}, ${value('orderId')}, ${value('lane')}, ${value('webhookUrl')}, ${value('version')},
        ${value('dueAt')}, ${value('owedSince')}, ${value('before')}, 0)
      on conflict (shop_id, order_id) do update set lane = excluded.lane, webhook_url = excluded.webhook_url,
        version = excluded.version, due_at = excluded.due_at, owed_since = excluded.owed_since,
        tries = 0, waits_for_lane = 0, recalls = 0, owner = null, leased_until = null`,
  ),
  owed: rowsBy(db, 'webhooks', ['shop_id', 'order_id']),
  // The answer of another address does not matter here. A dead letter stays one.
  move: prepareText(db)<unknown>(
    (
      value,
    ) => sql`update webhooks set lane = ${value('lane')}, webhook_url = ${value('webhookUrl')}, tries = 0,
        waits_for_lane = 0, recalls = 0, owner = null, leased_until = null,
        due_at = case when due_at is not null then cast(${value('now')} as bigint) end
      where ${ofOrder(value)}`,
  ),
})

const webhookQueries = (db: Db) => ({
  delivered: prepareText(db)<unknown>(
    (value) => sql`update webhooks set delivered_version = ${value('version')}
      where ${ofOrder(value)} and delivered_version < ${value('version')}`,
  ),
  release: prepareText(db)<unknown>(
    (value) => sql`update webhooks set owner = null, leased_until = null
      where ${matching(value, 'shop_id', 'order_id', 'owner')}`,
  ),
  settle: prepareText(db)<unknown>(
    (value) => sql`delete from webhooks where ${matching(value, 'shop_id', 'order_id', 'owner')}
      and version <= ${value('version')}`,
  ),
  nextDue: prepareText(db)<{ next_due: number }>(
    () => sql`select next_due from lanes where next_due is not null order by next_due limit 1`,
  ),
})

/** Webhooks in lanes by shop and host. */
const webhookLanes = (db: Db) =>
  new LaneCalls(db, {
    calls: 'webhooks',
    lanes: 'lanes',
    byLane: ['lane'],
    claimedBy: [],
    byCall: ['shop_id', 'order_id'],
    reads: owedColumns,
    callFrom: owedFrom,
    holds: ({ lane }: { lane: string }) => `lane ${lane}`,
    countsFull: true,
    probesAll: true,
  })

/** Steps by which a webhook becomes owed, and goes to another address. */
function oweSteps(db: Db, calls: ReturnType<typeof webhookLanes>) {
  const { owe, owed, move } = oweQueries(db)

  /** Owes the platform a webhook of the payment. Its order is held. */
  function owing(
    { shopId, orderId, webhookUrl, statusVersion: version, before }: Owing,
    now: number,
    dueAt = now,
  ): Step[] {
    const lane = laneName(shopId, webhookUrl)
    return [
      ask(owe, { shopId, orderId, lane, webhookUrl, version, before, dueAt, owedSince: now }),
      calls.lookSooner({ lane }),
    ]
  }

  /** Another address was named: an owed webhook goes there at once, even while it is delivered to the old one. Its order is held. */
  function* moving({ shopId, orderId, webhookUrl }: Payment, now: number): Command<Step[]> {
    const row = yield* first(owed, { shopId, orderId })
    const lane = laneName(shopId, webhookUrl)
    if (!row || row.webhook_url === webhookUrl) return []
    return [
      ask(move, { shopId, orderId, lane, webhookUrl, now }),
      calls.lookSooner({ lane }),
      calls.lookSooner({ lane: row.lane }),
    ]
  }

  return { owing, moving }
}

/** Claims owed webhooks, and gives claims up. */
const leaseCommands = (
  calls: ReturnType<typeof webhookLanes>,
  { release }: ReturnType<typeof webhookQueries>,
) => ({
  /**
   * Claims up to `limit` due webhooks, at most `perLane` of each lane, each until `leaseUntil`. A lane whose receiver fails gives one.
   * Orders that were refused themselves have a quarter of the places of a lane.
   */
  claimWebhooks: write(function* (claim: Claim): Command<OwedWebhook[]> {
    yield* alone()
    return yield* calls.claim(claim)
  }),

  /** Renews claims. A webhook that another process has taken over stays with it. */
  renewLeases: patient(function* (leased: readonly LeasedOrder[], leaseUntil: number): Command<void> {
    yield* calls.renew(
      leased.map(({ shopId, orderId, owner }) => ({ shopId, orderId, owner })),
      leaseUntil,
    )
  }),

  /** Gives up a claim: the webhook is due again as it was. */
  releaseWebhook: write(function* ({
    shopId,
    orderId,
    owner,
    lane,
  }: Pick<OwedWebhook, 'shopId' | 'orderId' | 'owner' | 'lane'>): Command<void> {
    yield* holding(orderKey(shopId, orderId))
    yield* lastly(ask(release, { shopId, orderId, owner }), calls.lookSooner({ lane }))
  }),
})

/** Stores owed webhooks, in lanes. */
export function webhookCommands(db: Db, { addCall, addCalls }: DeliveryCommands) {
  const calls = webhookLanes(db)
  const queries = webhookQueries(db)
  const { delivered, settle, nextDue } = queries
  const onServer = isServer(db) ? settleOnServer(db) : undefined
  const inProcess = settleInProcess(db, { addCalls, delivered })

  const commands = {
    ...leaseCommands(calls, queries),

    /** The delivery succeeded for every status up to `owed.version`. The lane opens; what waited for it is due at once. */
    settleWebhook: patient(function* (webhook: OwedWebhook, call: DeliveryCall): Command<void> {
      const { shopId, orderId, owner, version, lane } = webhook
      const now = endOf(call)
      yield* holding(orderKey(shopId, orderId))
      // A status change during the delivery made the webhook due again and released its claim: it stays owed, with what was delivered.
      const settled = [
        addCall(webhook, call),
        ask(settle, { shopId, orderId, owner, version }),
        ask(delivered, { shopId, orderId, version }),
      ]
      const [[row]] = yield* together(calls.look({ lane }))
      if (row && row.failures > 0) yield* calls.open({ lane }, now, settled)
      else yield* lastly(...settled, ...calls.makeRoom({ lane }))
    }),

    /**
     * Holds no order: it takes the rows of its calls, which their owner alone settles, and leaves those that another transaction has locked, and
     * those whose lane has to open. It runs alone in its transaction, because what it has settled decides what it returns.
     */
    /**
     * As `settleWebhook` for many deliveries, by one commit, and claims more with it. `left` are those that it could not settle beside the
     * others: their rows are locked, another process has taken them over, or their success opens a lane. Settle each of them alone.
     */
    settleWebhooks: write(function* (
      batch: readonly Delivered[],
      claim?: Claim,
    ): Command<{ left: Delivered[]; claimed: OwedWebhook[] }> {
      yield* alone()
      if (!onServer) {
        const { left, ended } = yield* inProcess(batch)
        const room = ended.flatMap(({ lane }) => calls.makeRoom({ lane }))
        if (claim) return { left, claimed: yield* calls.claim(claim, { before: room }) }
        yield* lastly(...room)
        return { left, claimed: [] }
      }
      const { step, leftBy } = onServer(batch)
      const before = [step, calls.makeRoomIn(endedLanes(batch))]
      let left: Delivered[] = []
      const answered = ([settled = []]: readonly unknown[][]) => {
        left = leftBy(settled)
      }
      if (claim) return { claimed: yield* calls.claim(claim, { before, answered }), left }
      answered(yield* together(...before))
      return { left, claimed: [] }
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
      const { shopId, orderId, owner, lane } = webhook
      const { failure } = call
      const now = endOf(call)
      yield* holding(orderKey(shopId, orderId))
      const was = yield* calls.hold({ lane })
      const aboutOne = isAboutOrder(call.status)
      // A receiver that hung was down since the call began.
      const pace = { ...webhookPace, longest: webhookPace.longest - call.ms }
      const failed = () => afterFailure(was, { now, failure, retryAfter, pace })
      // A receiver that refuses a single order is working.
      const becomes = aboutOne ? (isClosed(was) ? freshLane : was) : failed()
      const postponed = calls.postpone({ shopId, orderId, owner }, { dueAt, was, aboutOne })
      yield* calls.change({ lane }, { was, becomes, now, more: [addCall(webhook, call), postponed] })
    }),

    /** The due time of the next owed webhook, in milliseconds since 1970. */
    nextWebhookDue: read(function* (): Command<number | undefined> {
      return (yield* first(nextDue, {}))?.next_due
    }),
  }

  return { ...commands, ...oweSteps(db, calls), calls }
}

export type WebhookCommands = ReturnType<typeof webhookCommands>
