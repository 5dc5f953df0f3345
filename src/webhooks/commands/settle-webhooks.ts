import { sql } from 'kysely'
import { type Db, isServer, matching, prepareGroups, prepareText } from '../../store/columns.ts'
import {
  all,
  ask,
  type Command,
  columnsOf,
  eachFor,
  inGroups,
  type Query,
  rowsOf,
  times,
} from '../../store/query.ts'
import type { Delivered, DeliveryCommands } from './deliveries.ts'

const types = {
  ...({ shop_id: 'text', order_id: 'text', owner: 'text', version: 'integer', at: 'bigint' } as const),
  ...({ ms: 'integer', status: 'integer', answer: 'text', number: 'integer' } as const),
}

const rowFrom = ({ owed, call: { at, ms, status, answer } }: Delivered, index: number) => ({
  ...{ shop_id: owed.shopId, order_id: owed.orderId, owner: owed.owner, version: owed.version },
  ...{ at, ms, status, answer, number: index + 1 },
})

interface LeftRow {
  /** The place of a call in the list of the statement, from 1. */
  number: number
}

interface Others extends Pick<DeliveryCommands, 'addCalls'> {
  delivered: Query<unknown>
}

/** Settles webhooks that were delivered, and returns those that it leaves: to be settled one by one. A call whose lane has failed is left, because its success opens the lane. */
export const settleMany = (db: Db, others: Others) =>
  isServer(db) ? settleOnServer(db) : settleInProcess(db, others)

/**
 * Settles many webhooks by one statement, on a server. It takes the rows that still belong to their owner and are free, and waits for none:
 * another client may have locked a row for long. Returns those that it left: mostly none. Each table has one row for each order, so the
 * statement needs no other lock.
 *
 * Each row is found once, by its key, whatever the planner knows of the table, and is deleted where it lies. The key is named again, because
 * in a table with partitions a place is that of one row in each. A row that moved between the start of the statement and its lock is not
 * deleted, and not counted.
 */
const manyOnServer = (db: Db) =>
  prepareText(db)<LeftRow>(
    (value) => sql`with of_calls as materialized (
      select * from ${rowsOf(value, types)} as calls
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

function settleOnServer(db: Db) {
  const many = manyOnServer(db)

  return function* (batch: readonly Delivered[]): Command<Delivered[]> {
    // One statement writes no row twice: of two calls for one order the second is settled apart. The orders are in one order, so that two
    // nodes with the same ones do not wait for each other in a circle.
    const ofOrders = Map.groupBy(batch, ({ owed }) => `${owed.shopId} ${owed.orderId}`)
    const [calls, twice]: [Delivered[], Delivered[]] = [[], []]
    for (const key of [...ofOrders.keys()].sort()) {
      const [first, ...others] = ofOrders.get(key)!
      calls.push(first!)
      twice.push(...others)
    }
    const rows = calls.map(rowFrom)
    const left = yield* all(many, columnsOf(rows, Object.keys(types)))
    return [...left.map(({ number }) => calls[number - 1]!), ...twice]
  }
}

/** Settles many webhooks in the process: those of one shop, owner and version by one statement. */
function settleInProcess(db: Db, { addCalls, delivered }: Others) {
  const [text, groups] = [prepareText(db), prepareGroups(db)]
  const settle = groups(
    (size, value) => sql`delete from webhooks where ${matching(value, 'shop_id', 'owner')}
      and version <= ${value('version')} and order_id in (${sql.join(times(size, () => value('orderId')))})`,
  )
  /** The rows that the statement before it has deleted. */
  const deleted = text<{ count: number }>(() => sql`select changes() as count`)
  const failing = text<{ lane: string }>(() => sql`select lane from lanes where failures > 0`)
  /** The calls that a damaged page stopped, by the batch: the command runs again without them. */
  const stopped = new WeakMap<readonly Delivered[], Set<Delivered>>()

  return function* (batch: readonly Delivered[]): Command<Delivered[]> {
    const isStopped = stopped.get(batch) ?? new Set()
    stopped.set(batch, isStopped)
    const failed = new Set((yield* all(failing, {})).map(({ lane }) => lane))
    const isLeft = (one: Delivered) => isStopped.has(one) || failed.has(one.owed.lane)
    const alike = Map.groupBy(
      batch.filter((one) => !isLeft(one)),
      ({ owed }) => `${owed.version} ${owed.owner} ${owed.shopId}`,
    )
    const grouped = [...alike.values()].flatMap(inGroups)
    const stop = (group: readonly Delivered[]) => {
      for (const one of group) isStopped.add(one)
    }
    const left = batch.filter(isLeft)
    const rows = yield* eachFor(
      grouped.flatMap((group) => {
        const { shopId, owner, version } = group[0]!.owed
        const orders = group.map(({ owed }) => owed.orderId)
        const settling = settle(group.length, [shopId, owner, version, ...orders])
        return [addCalls(group), settling, ask(deleted, {})].map((step) => [group, step] as const)
      }),
      stop,
    )
    // A status that changed meanwhile stays owed, with what was delivered.
    const kept = grouped.filter(
      (group, index) => (rows[index * 3 + 2] as [{ count: number }])[0].count < group.length,
    )
    const notes = kept.flatMap((group) =>
      group.map(
        ({ owed: { shopId, orderId, version } }) =>
          [group, ask(delivered, { shopId, orderId, version })] as const,
      ),
    )
    if (notes.length > 0) yield* eachFor(notes, stop)
    return left
  }
}
