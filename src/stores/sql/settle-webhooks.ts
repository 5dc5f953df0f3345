import { type Kysely, sql } from 'kysely'
import type { Delivered } from '../../store.ts'
import { isServer } from './columns.ts'
import type { DeliveryCommands } from './deliveries.ts'
import { ask, type Command, eachFor, prepare, type Query, together } from './query.ts'
import { arrayOf, columnsOf, prepareText, rowsOf } from './sets.ts'
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

/**
 * Settles many webhooks by one statement, on a server. It takes the rows that still belong to their owner and are free, and waits for none:
 * another client may have locked a row for long. A call whose lane has failed is left too, because its success opens the lane. Returns the
 * settled orders. Each table has one row for each order, so the statement needs no other lock.
 */
const manyOnServer = (db: Kysely<Tables>) =>
  prepareText<{ shop_id: string; order_id: string }>(
    db,
    (value) => sql`with free as (
      select of_call.* from ${rowsOf(value, types)} as of_call
        join webhooks on webhooks.shop_id = of_call.shop_id and webhooks.order_id = of_call.order_id
      where webhooks.owner = of_call.owner and webhooks.version <= of_call.version
        and not exists (select 1 from lanes where lanes.lane = webhooks.lane and failures > 0)
      for update of webhooks skip locked
    ), called as (
      insert into deliveries (shop_id, order_id, version, at, ms, status, answer, calls, is_counted)
        select shop_id, order_id, version, at, ms, status, answer, 1, 1 from free
      on conflict (order_id, shop_id, version) where is_counted = 1 do update set
        calls = deliveries.calls + 1, last_at = excluded.at, last_ms = excluded.ms, last_status = excluded.status,
        last_failure = null, last_answer = excluded.answer
    ), settled as (
      delete from webhooks using free
      where webhooks.shop_id = free.shop_id and webhooks.order_id = free.order_id
    )
    select shop_id, order_id from free`,
  )

export interface SettledMany {
  /** To be settled one by one, by a command that waits for their rows. */
  left: Delivered[]
  /** The lanes of the others that were full, and when their last call ended. */
  full: { lane: string; now: number }[]
}

interface Others extends Pick<DeliveryCommands, 'addCall'> {
  delivered: Query<unknown>
  settle: Query<unknown>
}

/** Settles webhooks that were delivered, with few statements on a server. */
export function settleMany(db: Kysely<Tables>, { addCall, delivered, settle }: Others) {
  const many = manyOnServer(db)
  const fullLanes = prepareText<{ lane: string }>(
    db,
    (value) =>
      sql`select lane from lanes where lane = any (cast(${value('lanes')} as text[])) and is_full = 1`,
  )
  const laneOf = prepare((value) =>
    db.selectFrom('lanes').select(['lane', 'failures', 'is_full']).where('lane', '=', value('lane')),
  )
  /** The items that a damaged page stopped, by the batch: the command runs again without them. */
  const stopped = new WeakMap<readonly Delivered[], Set<Delivered>>()

  function* onServer(batch: readonly Delivered[]): Command<SettledMany> {
    // One statement writes no row twice: of two calls for one order the second is settled apart.
    const first = new Map<string, Delivered>()
    for (const one of batch) {
      const key = keyOf(one.owed.shopId, one.owed.orderId)
      if (!first.has(key)) first.set(key, one)
    }
    // In one order, so that two nodes with the same orders do not wait for each other in a circle.
    const keys = [...first.keys()].toSorted()
    const rows = keys.map((key) => rowFrom(first.get(key)!))
    const [found, full] = yield* together(
      ask(many, columnsOf(rows, names)),
      ask(fullLanes, { lanes: arrayOf(lanesOf(batch)) }),
    )
    const settled = new Set(found.map(({ shop_id, order_id }) => first.get(keyOf(shop_id, order_id))))
    const left = batch.filter((one) => !settled.has(one))
    return { left, full: fullOf(batch, { left, full }) }
  }

  function* inProcess(batch: readonly Delivered[]): Command<SettledMany> {
    const isStopped = stopped.get(batch) ?? new Set()
    stopped.set(batch, isStopped)
    const lanes = (yield* together(...lanesOf(batch).map((lane) => ask(laneOf, { lane })))).flat()
    const failed = new Set(lanes.flatMap(({ lane, failures }) => (failures > 0 ? [lane] : [])))
    const left = batch.filter((one) => isStopped.has(one) || failed.has(one.owed.lane))
    const isLeft = new Set(left)
    const steps = batch.flatMap((one) => {
      if (isLeft.has(one)) return []
      const { shopId, orderId, owner, version } = one.owed
      const about = { shopId, orderId, owner, version }
      const three = [addCall(one.owed, one.call), ask(settle, about), ask(delivered, about)]
      return three.map((step) => [one, step] as const)
    })
    yield* eachFor(steps, (one) => isStopped.add(one))
    const full = lanes.filter(({ is_full }) => is_full === 1)
    return { left, full: fullOf(batch, { left, full }) }
  }

  return isServer(db) ? onServer : inProcess
}

/** A lane may have been full when its calls were claimed, and is full again at this moment. */
function fullOf(
  batch: readonly Delivered[],
  { left, full }: { left: readonly Delivered[]; full: readonly { lane: string }[] },
): SettledMany['full'] {
  const isLeft = new Set(left)
  const isFull = new Set(full.map(({ lane }) => lane))
  const ends = new Map<string, number>()
  for (const one of batch) {
    const { lane, full } = one.owed
    if (isLeft.has(one) || !(full || isFull.has(lane))) continue
    ends.set(lane, Math.max(endOf(one.call), ends.get(lane) ?? 0))
  }
  return Array.from(ends, ([lane, now]) => ({ lane, now }))
}

const keyOf = (shopId: string, orderId: string) => `${shopId} ${orderId}`
const lanesOf = (batch: readonly Delivered[]) => [...new Set(batch.map(({ owed }) => owed.lane))]
