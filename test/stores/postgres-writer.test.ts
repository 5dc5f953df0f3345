import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { Connection } from '../../src/stores/postgres-connection.ts'
import type { PostgresServer } from '../../src/stores/postgres-server.ts'
import { PostgresWriter } from '../../src/stores/postgres-writer.ts'
import { slotOf, takeHolds } from '../../src/stores/sql/holds.ts'
import { type Command, holding, lastly } from '../../src/stores/sql/query.ts'

afterEach(() => void vi.useRealTimers())

/** A server on which another node has the hold of `thing` for so many tries, and the first try begins after `queued` milliseconds. */
function serverWith(thing: string, tries: number, queued: number): PostgresServer {
  let left = tries
  const answers: Record<string, () => unknown> = {
    [takeHolds]: () => ({ rows: left-- > 0 ? [] : [{ slot: slotOf(thing) }] }),
    commit: () => ({ command: 'COMMIT' }),
  }
  const query = async (text: string) => answers[text]?.() ?? { rows: [] }
  const begin = async () => [{}, { rows: [{ id: '1' }] }]
  const connection = { begin, query, prepared: query } as unknown as Connection
  return {
    flight: 0,
    flew() {},
    async connected<T>(use: (connection: Connection) => Promise<T>) {
      vi.advanceTimersByTime(left === tries ? queued : 0)
      return use(connection)
    },
  } as unknown as PostgresServer
}

function* held(thing: string): Command<string> {
  yield* holding(thing)
  yield* lastly({ sql: 'update', writes: true, values: [] })
  return 'written'
}

test('a command that waited long for its turn still waits for what another node holds', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  const trouble: unknown[] = []
  const writer = new PostgresWriter(serverWith('order a 1', 2, 10_000), {
    connections: 4,
    probe: function* () {},
    report: (one) => trouble.push(one),
  })
  let result: unknown
  void writer
    .write(() => held('order a 1'))
    .then(
      (value) => (result = value),
      (error) => (result = error),
    )
  for (let step = 0; step < 100 && result === undefined; step++) {
    await turn()
    vi.advanceTimersByTime(10)
  }
  expect(result).toBe('written')
  expect(trouble).toEqual([
    { code: 'COMMAND_RETRIED', reason: 'held' },
    { code: 'COMMAND_RETRIED', reason: 'held' },
  ])
})
