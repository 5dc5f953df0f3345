// The clock of one of two nodes jumps two hours ahead. No payment expires, on neither of them, and nobody waits longer.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { pino } from 'pino'
import { createProvider, postgresStore } from '../../../src/index.ts'
import { startPostgres } from '../../postgres.ts'
import type { NeighbourReport } from './report.ts'
import { CallingShops, named } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

/** How often the node has to look for what is due with its clock ahead. It does so every 15 s. */
const looks = 2
const looksWithin = 60_000

export async function jumpingClock(size: NeighbourSize): Promise<NeighbourReport> {
  const server = await startPostgres()
  const url = await server.database()
  const provider = createProvider({
    store: postgresStore({ url }),
    port: 0,
    development: true,
    logger: pino({ level: 'silent' }),
    payments: {
      name: 'psp',
      methods: () => [],
      start: ({ id }) => ({ redirect: `http://127.0.0.1/${id}`, reference: id }),
    },
  })
  const onlooker = new pg.Client(url)
  const { port: first } = await provider.listen({ host: '127.0.0.1' })
  const child = fork(new URL('./jumping-node.ts', import.meta.url), [url])
  try {
    await onlooker.connect()
    let looked = 0
    child.on('message', ({ checked }: { checked?: true }) => {
      if (checked) looked++
    })
    const [{ port: second }] = (await once(child, 'message')) as [{ port: number }]
    let calls = 0
    const shops = new CallingShops(provider, () => `http://127.0.0.1:${++calls % 2 === 0 ? first : second}`)
    await shops.add(named('good', size.shops))
    const jump = (ms: number) => child.send({ jump: ms })
    const start = (number: number) => shops.start(`good${number % size.shops}`, 'psp:card')
    const report = await watch(
      {
        name: 'a clock that jumps',
        deadline: 4_000,
        call: start,
        begin() {
          jump(2 * 3_600_000)
          looked = 0
        },
        // It stays ahead while the next turn is well: what expires then is counted too.
        end() {},
        isWell: () => start(0),
      },
      size,
    )
    const until = performance.now() + looksWithin
    while (looked < looks && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 250))
    const { rows } = await onlooker.query<{ status: string; count: number }>(
      'select status, count(*)::int as count from payments group by status',
    )
    if (looked < looks) report.violations.push('the node whose clock jumped looks for nothing any more')
    for (const { status, count } of rows)
      if (status !== 'pending') report.violations.push(`${count} payments are ${status} because of a clock`)
    return report
  } finally {
    child.kill('SIGKILL')
    await onlooker.end()
    await provider.stop()
    await server.remove()
  }
}
