import { sql } from 'kysely'
import type { Delivered } from '../../../store/webhooks.ts'
import { type Db, matching, prepareText } from '../columns.ts'
import {
  ask,
  type Command,
  columnsOf,
  eachFor,
  forGroups,
  inGroups,
  prepare,
  type Query,
  rowsOf,
  type Step,
  times,
  together,
} from '../query.ts'
import type { DeliveryCommands } from './deliveries.ts'

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

interface LeftRow {
  /** The place of a call in the list of the statement, from 1. */
  number: number
}

/**
 * Settles many webhooks by one statement, on a server. It takes the rows that still belong to their owner and are free, and waits for none:
 * another client may have locked a row for long. A call whose lane has failed is left too, because its success opens the lane. Returns those
 * that it left: mostly none. Each table has one row for each order, so the statement needs no other lock.
 *
 * Each row is found once, by its key, whatever the planner knows of the table, and is deleted where it lies. The key is named again, because
 * in a table with partitions a place is that of one row in each. A row that moved between the start of the statement and its lock is not
 * deleted, and not counted.
 */
const manyOnServer = (db: Db) =>
  prepareText(db)<LeftRow>(
    (value) => sql`with of_calls as materialized (
      select * from ${rowsOf(value, { ...types, number: 'integer' })} as calls
    ), kept as materialized (
      select id from shops where id in (select shop_id from of_calls) for key share skip locked
    ), taken_elsewhere as (
      select id from shops where id in (select shop_id from of_calls) and id not in (select id from kept)
    ), free as (
      select of_call.*, place from of_calls as of_call cross join lateral (
        select webhooks.ctid as place from webhooks
        where webhooks.shop_id = of_call.shop_id and webhooks.order_id = of_call.order_id
          and webhooks.owner = of_call.owner and webhooks.version <= of_call.version
          and webhooks.lane not in (select lane from lanes where failures > 0)
          and of_call.shop_id not in (select id from taken_elsewhere)
        for update of webhooks skip locked
      ) as of_order
    ), settled as (
      delete from webhooks where ctid = any (array(select place from free))
        and (shop_id, order_id) in (select shop_id, order_id from free)
      returning ctid as place
    ), called as (
      insert into deliveries (shop_id, order_id, version, at, ms, status, answer, calls)
        select shop_id, order_id, version, at, ms, status, answer, 1 from free
        where place in (select place from settled)
      on conflict (shop_id, order_id, version) do update set
        calls = deliveries.calls + 1, last_at = excluded.at, last_ms = excluded.ms, last_status = excluded.status,
        last_failure = null, last_answer = excluded.answer
    )
    select number from of_calls
      where number not in (select number from free where place in (select place from settled))`,
  )

/** The lanes of calls that are settled together. */
export interface EndedLane {
  lane: string
  /** When its last call ended. */
  now: number
  /** It was full when one of these calls was claimed. */
  wasFull: boolean
}

interface Others extends Pick<DeliveryCommands, 'addCalls'> {
  delivered: Query<unknown>
}

/** A batch that one statement settles on a server. */
export interface BatchOnServer {
  step: Step
  /** Those that the statement has left: to be settled one by one, by a command that waits for their rows. */
  leftBy(rows: readonly unknown[]): Delivered[]
}

/** Settles webhooks that were delivered by one statement. */
export function settleOnServer(db: Db) {
  const many = manyOnServer(db)

  return (batch: readonly Delivered[]): BatchOnServer => {
    // One statement writes no row twice: of two calls for one order the second is settled apart.
    const first = new Map<string, Delivered>()
    const twice: Delivered[] = []
    for (const one of batch) {
      const key = keyOf(one.owed.shopId, one.owed.orderId)
      if (first.has(key)) twice.push(one)
      else first.set(key, one)
    }
    // In one order, so that two nodes with the same orders do not wait for each other in a circle.
    const calls = [...first.keys()].toSorted().map((key) => first.get(key)!)
    const rows = calls.map((call, index) => ({ ...rowFrom(call), number: index + 1 }))
    return {
      step: ask(many, columnsOf(rows, [...names, 'number'])),
      leftBy: (found) => [...(found as LeftRow[]).map(({ number }) => calls[number - 1]!), ...twice],
    }
  }
}

/** Those of one shop, owner and version, in groups. */
const groupsOf = (settled: readonly Delivered[]): Delivered[][] => {
  const alike = Map.groupBy(settled, ({ owed }) => `${owed.version} ${owed.owner} ${owed.shopId}`)
  return [...alike.values()].flatMap(inGroups)
}

/** Settles webhooks that were delivered, in the process. */
export function settleInProcess(db: Db, { addCalls, delivered }: Others) {
  const settle = forGroups((size, value) =>
    db
      .deleteFrom('webhooks')
      .where(matching(value, 'shop_id', 'owner'))
      .where('version', '<=', value('version'))
      .where(
        'order_id',
        'in',
        times(size, () => value('orderId')),
      ),
  )
  /** The rows that the statement before it has deleted. */
  const deleted = prepare(() => db.selectNoFrom(sql<number>`changes()`.as('count')))
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
    const groups = groupsOf(settled)
    const stop = (group: readonly Delivered[]) => {
      for (const one of group) isStopped.add(one)
    }
    const steps = groups.flatMap((group) => {
      const { shopId, owner, version } = group[0]!.owed
      const orders = group.map(({ owed }) => owed.orderId)
      const three = [
        addCalls(group),
        settle(group.length, [shopId, owner, version, ...orders]),
        ask(deleted, {}),
      ]
      return three.map((step) => [group, step] as const)
    })
    const rows = yield* eachFor(steps, stop)
    // A status that changed meanwhile stays owed, with what was delivered.
    const kept = groups.filter(
      (group, index) => (rows[index * 3 + 2] as [{ count: number }])[0].count < group.length,
    )
    const notes = kept.flatMap((group) =>
      group.map(
        ({ owed: { shopId, orderId, version } }) =>
          [group, ask(delivered, { shopId, orderId, version })] as const,
      ),
    )
    if (notes.length > 0) yield* eachFor(notes, stop)
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
