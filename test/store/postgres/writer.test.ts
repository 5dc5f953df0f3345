import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { slotOf, takeHolds } from '../../../src/store/holds.ts'
import type { Connection } from '../../../src/store/postgres/connection.ts'
import type { PostgresServer } from '../../../src/store/postgres/server.ts'
import { PostgresWriter } from '../../../src/store/postgres/writer.ts'
import type { StoreTrouble } from '../../../src/store.ts'
import { count } from '../../stores/counting.ts'

afterEach(() => void vi.useRealTimers())

/** A server with numbers by their names. Another client has locked those of `locked`: an update of them waits until `timeOut` is called. */
function serverOf({ flight = 0, locked = new Set<string>() } = {}) {
  const numbers = new Map<string, number>()
  const holders = new Map<number, object>()
  const groups: string[][] = []
  let timeOut: (() => void) | undefined

  async function once<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const session = {}
    const written = new Map<string, number>()
    const group: string[] = []
    groups.push(group)
    const letGo = () => {
      for (const [slot, holder] of holders) if (holder === session) holders.delete(slot)
    }
    const take = (slot: number): boolean => {
      if (!holders.has(slot)) holders.set(slot, session)
      return holders.get(slot) === session
    }
    const answers: Record<string, (values: never) => unknown> = {
      [takeHolds]: ([slots]: [number[]]) => slots.filter(take).map((slot) => ({ slot })),
      async update([name, value]: [string, number]) {
        if (locked.has(name)) {
          await new Promise<void>((resolve) => (timeOut = resolve))
          throw Object.assign(new Error('lock timeout'), { code: '55P03', severity: 'ERROR' })
        }
        group.push(name)
        written.set(name, value)
        return []
      },
      select: ([name]: [string]) => [numbers.get(name) ?? 0],
      commit() {
        for (const [name, value] of written) numbers.set(name, value)
        letGo()
        return []
      },
    }
    async function query(text: string, values: unknown[] = []) {
      await turn()
      const rows = (await answers[text]?.(values as never)) ?? []
      await turn()
      return { rows, command: 'COMMIT' }
    }
    const begin = async () => [{}, { rows: [{ id: '1' }] }]
    try {
      return await use({ begin, query, prepared: query } as unknown as Connection)
    } finally {
      letGo()
    }
  }

  const server = { flight, flew() {}, once } as unknown as PostgresServer
  return {
    server,
    numbers,
    holders,
    groups,
    locked,
    isWaiting: () => timeOut !== undefined,
    timeOut: () => timeOut?.(),
  }
}

function writerOn(server: PostgresServer, report: (trouble: StoreTrouble) => void = () => {}) {
  return new PostgresWriter(server, 10, function* () {}, report)
}

test('whatever is held and by whom, each command of two nodes sees what the others have left', async () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd')
  const wanted = fc.array(fc.uniqueArray(names, { minLength: 1 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(wanted, fc.constantFrom(0, 5), async (all, flight) => {
      const { server, numbers } = serverOf({ flight })
      const nodes = [writerOn(server), writerOn(server)]
      const found = await Promise.all(all.map((some, index) => nodes[index % 2]!.write(() => count(some))))
      for (const name of ['a', 'b', 'c', 'd'] as const) {
        const seen = all.flatMap((some, index) =>
          some.includes(name) ? [found[index]![some.indexOf(name)]!] : [],
        )
        expect(seen.toSorted()).toEqual(seen.map((_, index) => index))
        expect(numbers.get(name) ?? 0).toBe(seen.length)
      }
    }),
    { numRuns: 30 },
  )
})

test('commands of one moment share a transaction, and those with the same hold follow each other', async () => {
  const { server, groups } = serverOf()
  const writer = writerOn(server)
  await Promise.all(['a', 'b', 'a', 'c', 'a'].map((name) => writer.write(() => count([name]))))
  expect(groups).toEqual([['a', 'b', 'c'], ['a'], ['a']])
})

test('a command that waited long for its turn still waits for what another node holds', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  const { server, holders } = serverOf()
  const trouble: unknown[] = []
  const slot = slotOf('order a 1')
  holders.set(slot, {})
  const writer = writerOn(server, (one) => {
    if (trouble.push(one) === 2) holders.delete(slot)
  })
  let result: unknown
  const writing = writer.write(() => count(['1'], (name) => `order a ${name}`))
  void writing.catch((error: unknown) => error).then((value) => (result = value))
  // Its queue was long.
  vi.advanceTimersByTime(10_000)
  for (let step = 0; step < 100 && result === undefined; step++) {
    await turn()
    vi.advanceTimersByTime(10)
  }
  expect(result).toEqual([0])
  expect(trouble).toEqual(Array(2).fill({ code: 'COMMAND_RETRIED', reason: 'held' }))
})

test('while an order is locked and the reports for it wait, the commands of other orders complete', async () => {
  const { server, isWaiting, timeOut, locked } = serverOf({ locked: new Set(['0']) })
  const writer = writerOn(server)
  const events: string[] = []
  const add = (order: string, shop: string) =>
    writer
      .write(() => count([order], (name) => `order ${shop} ${name}`))
      .then(() => events.push(`${shop} ${order}`))
  const reports = [add('0', 'a')]
  await expect.poll(isWaiting).toBe(true)
  for (let order = 1; order <= 5; order++) {
    reports.push(add('0', 'a'))
    await Promise.all([add(`${order}`, 'a'), add(`${order}`, 'b')])
  }
  expect(events.toSorted()).toEqual('a 1,a 2,a 3,a 4,a 5,b 1,b 2,b 3,b 4,b 5'.split(','))
  timeOut()
  for (let order = 6; order <= 10; order++) {
    reports.push(add('0', 'a'))
    await add(`${order}`, 'b')
  }
  expect(events).not.toContain('a 0')
  locked.clear()
  const ending = setInterval(timeOut)
  await Promise.all(reports)
  clearInterval(ending)
  expect(events.filter((event) => event === 'a 0')).toHaveLength(reports.length)
})
