import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StorePort } from '../../../src/store-port.ts'
import { memoryStore } from '../../../src/stores/memory.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { isLong } from '../../long.ts'
import { sharedPostgres } from '../../postgres.ts'
import { all, orderly } from './all.ts'
import { ledgersOf, longOrders, someOrders } from './orders.ts'
import { play } from './play.ts'
import { OrderInStore } from './play-on-store.ts'

/** Reversed and 3 samples; in the long form every order, 6,000 in all. */
const ordersOf = <T>(reports: readonly T[]): Iterable<T[]> =>
  isLong ? longOrders(reports) : someOrders(reports, 5).slice(1)
/** So many orders are played beside each other. */
const together = 40

/** Longer after the attempts have opened than any of them waits. */
const end = '1h'

const server = await sharedPostgres()
const engines: Record<string, () => Promise<StorePort>> = {
  SQLite: async () => memoryStore(),
  PostgreSQL: async () => postgresStore({ url: await server.emptied() }),
}

describe.each(Object.entries(engines))('%s', (_engine, makeStore) => {
  let store: StorePort
  beforeAll(async () => {
    store = await makeStore()
    await store.open()
  })
  afterAll(() => store?.close())

  test('every sequence leads where the pure functions lead, with its anomalies and webhooks', async () => {
    for (const [name, sequence] of all) {
      const order = await new OrderInStore(store, sequence).play()
      const { status, statusVersion, paidBy, ...stored } = await order.payment()
      const { payment, anomalies, webhooks } = play(sequence)
      expect([status, statusVersion, ledgersOf({ ...payment, attempts: stored.attempts })], name).toEqual([
        payment.status,
        webhooks.length,
        ledgersOf(payment),
      ])
      expect(paidBy === undefined, name).toBe(payment.paidBy === undefined)
      const expected = anomalies.map(({ kind, event, stake }) => [kind, event, stake ?? ''].join(' ')).sort()
      expect(
        (await order.anomalies()).map((one) => one.replaceAll(/default\.\d+-/g, 'default.7-')),
        name,
      ).toEqual(expected)
    }
  })

  test('in any other order, with repetitions, the reports come to the same money', async () => {
    for (const [name, sequence] of orderly) {
      const reports = sequence.steps.filter((step) => 'report' in step)
      const { payment } = play(sequence)
      const ends = new Set<string>()
      const waiting = ordersOf(reports)[Symbol.iterator]()
      const playAll = async () => {
        for (let next = waiting.next(); !next.done; next = waiting.next()) {
          const order = await new OrderInStore(store, sequence).startAll()
          for (const step of next.value) await order.say(step, end)
          const stored = await order.payment()
          ends.add(JSON.stringify([stored.status === 'paid', ledgersOf(stored)]))
        }
      }
      await Promise.all(Array.from({ length: together }, playAll))
      expect([...ends], name).toEqual([JSON.stringify([payment.status === 'paid', ledgersOf(payment)])])
    }
  }, 3_600_000)
})
