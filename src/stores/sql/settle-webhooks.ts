import { type Kysely, sql } from 'kysely'
import type { Delivered } from '../../store.ts'
import type { DeliveryCommands } from './deliveries.ts'
import { ask, type Command, eachFor, prepare, type Query, type Step, together } from './query.ts'
import { columnsOf, prepareText, rowsOf } from './sets.ts'
import type { Tables } from './tables.ts'

const types = {
  shop_id: 'text',
  order_id: 'text',
  owner: 'text',
  version: 'integer',
  at: 'bigint',
  ms: 'integer',
  status: 'integer',
  answer: 'text',
} as const
const names = Object.keys(types) as (keyof typeof types)[]

export const endOf = ({ at, ms }: Delivered['call']): number => at + ms

const rowFrom = ({ owed, call: { at, ms, status, answer } }: Delivered) => ({
  ...{ shop_id: owed.shopId, order_id: owed.orderId, owner: owed.owner, version: owed.version },
  ...{ at, ms, status, answer },
})

interface SettledRow {
  shop_id: string
  order_id: string
}

/**
 * Settles many webhooks by one statement, on a server. It takes the rows that still belong to their owner and are free, and waits for none:
 * another client may have locked a row for long. A call whose lane has failed is left too, because its success opens the lane. Returns the
 * settled orders. Each table has one row for each order, so the statement needs no other lock.
 *
 * Each row is found once, by its key, whatever the planner knows of the table, and is deleted where it lies. One that moved between the
 * start of the statement and its lock is not deleted, and not counted.
 */
const manyOnServer = (db: Kysely<Tables>) =>
  prepareText<SettledRow>(
    db,
    (value) => sql`with free as (
      select of_call.*, place from ${rowsOf(value, types)} as of_call cross join lateral (
        select webhooks.ctid as place from webhooks
        where webhooks.shop_id = of_call.shop_id and webhooks.order_id = of_call.order_id
          and webhooks.owner = of_call.owner and webhooks.version <= of_call.version
          and webhooks.lane not in (select lane from lanes where failures > 0)
        for update of webhooks skip locked
      ) as of_order
    ), settled as (
      delete from webhooks where ctid = any (array(select place from free))
        and (shop_id, order_id) in (select shop_id, order_id from free)
      returning shop_id, order_id
    ), called as (
      insert into deliveries (shop_id, order_id, version, at, ms, status, answer, calls, is_counted)
        select shop_id, order_id, version, at, ms, status, answer, 1, 1 from free
        where (shop_id, order_id) in (select shop_id, order_id from settled)
      on conflict (order_id, shop_id, version) where is_counted = 1 do update set
        calls = deliveries.calls + 1, last_at = excluded.at, last_ms = excluded.ms, last_status = excluded.status,
        last_failure = null, last_answer = excluded.answer
    )
    select shop_id, order_id from settled`,
  )

/** The lanes of calls that are settled together. */
export interface EndedLane {
  lane: string
  /** When its last call ended. */
  now: number
  /** It was full when one of these calls was claimed. */
  wasFull: boolean
}

interface Others extends Pick<DeliveryCommands, 'addCall'> {
  delivered: Query<unknown>
  settle: Query<unknown>
}

/** A batch that one statement settles on a server. */
export interface BatchOnServer {
  step: Step
  /** Those that the statement has left: to be settled one by one, by a command that waits for their rows. */
  leftBy(rows: readonly unknown[]): Delivered[]
}

/** Settles webhooks that were delivered by one statement. */
export function settleOnServer(db: Kysely<Tables>) {
  const many = manyOnServer(db)

  return (batch: readonly Delivered[]): BatchOnServer => {
    // One statement writes no row twice: of two calls for one order the second is settled apart.
    const first = new Map<string, Delivered>()
    for (const one of batch) {
      const key = keyOf(one.owed.shopId, one.owed.orderId)
      if (!first.has(key)) first.set(key, one)
    }
    // In one order, so that two nodes with the same orders do not wait for each other in a circle.
    const rows = [...first.keys()].toSorted().map((key) => rowFrom(first.get(key)!))
    return {
      step: ask(many, columnsOf(rows, names)),
      leftBy(found) {
        const settled = new Set(
          (found as SettledRow[]).map(({ shop_id, order_id }) => first.get(keyOf(shop_id, order_id))),
        )
        return batch.filter((one) => !settled.has(one))
      },
    }
  }
}

/** Settles webhooks that were delivered, in the process. */
export function settleInProcess(db: Kysely<Tables>, { addCall, delivered, settle }: Others) {
  const laneOf = prepare((value) =>
    db.selectFrom('lanes').select(['lane', 'failures', 'is_full']).where('lane', '=', value('lane')),
  )
  /** The items that a damaged page stopped, by the batch: the command runs again without them. */
  const stopped = new WeakMap<readonly Delivered[], Set<Delivered>>()

  return function* (batch: readonly Delivered[]): Command<{ left: Delivered[]; ended: EndedLane[] }> {
    const isStopped = stopped.get(batch) ?? new Set()
    stopped.set(batch, isStopped)
    const names = [...new Set(batch.map(({ owed }) => owed.lane))]
    const lanes = (yield* together(...names.map((lane) => ask(laneOf, { lane })))).flat()
    const failed = new Set(lanes.flatMap(({ lane, failures }) => (failures > 0 ? [lane] : [])))
    const left = batch.filter((one) => isStopped.has(one) || failed.has(one.owed.lane))
    const isLeft = new Set(left)
    const settled = batch.filter((one) => !isLeft.has(one))
    const steps = settled.flatMap((one) => {
      const { shopId, orderId, owner, version } = one.owed
      const about = { shopId, orderId, owner, version }
      const three = [addCall(one.owed, one.call), ask(settle, about), ask(delivered, about)]
      return three.map((step) => [one, step] as const)
    })
    yield* eachFor(steps, (one) => isStopped.add(one))
    const isFull = new Set(lanes.flatMap(({ lane, is_full }) => (is_full === 1 ? [lane] : [])))
    const ended = endedLanes(settled).filter(({ lane, wasFull }) => wasFull || isFull.has(lane))
    return { left, ended }
  }
}

export function endedLanes(batch: readonly Delivered[]): EndedLane[] {
  const lanes = new Map<string, EndedLane>()
  for (const { owed, call } of batch) {
    const known = lanes.get(owed.lane)
    const now = Math.max(endOf(call), known?.now ?? 0)
    lanes.set(owed.lane, { lane: owed.lane, now, wasFull: owed.full || known?.wasFull === true })
  }
  return [...lanes.values()]
}

const keyOf = (shopId: string, orderId: string) => `${shopId} ${orderId}`
