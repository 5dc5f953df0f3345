// The clock of one of two nodes jumps two hours ahead and back again, turn by turn. Then it stays ahead, that of the database server jumps,
// and a third node starts. No payment expires that its service works on, on none of them, nobody waits longer, and nothing is due too early.
import { type ChildProcess, fork } from 'node:child_process'
import { postgresStore } from '../../../src/index.ts'
import { connectTo, startPostgres } from '../../postgres.ts'
import type { NeighbourReport } from './report.ts'
import { CallingShops, named, quietProvider, redirecting } from './shops.ts'
import { type NeighbourSize, pause, watch } from './turns.ts'

/** How often the node has to look for what is due with its clock ahead. It does so every 15 s. */
const looks = 2
const looksWithin = 60_000
const jump = 2 * 3_600_000

/** Covers the function of the server's clock by one that a test moves. */
const ownClock = (database: string) => `create table ahead (ms bigint); insert into ahead values (0);
  create function public.clock_timestamp() returns timestamptz language sql volatile as
    $$ select pg_catalog.clock_timestamp() + (select ms from public.ahead) * interval '1 millisecond' $$;
  alter database ${database} set search_path = public, pg_catalog`

export async function jumpingClock(size: NeighbourSize): Promise<NeighbourReport> {
  await using server = await startPostgres()
  const url = await server.database()
  const provider = quietProvider({
    store: postgresStore({ url }),
    payments: { ...redirecting('psp'), status: () => ({ status: 'pending' }) },
  })
  const onlooker = await connectTo(url)
  await using ends = new AsyncDisposableStack()
  ends.defer(() => provider.stop())
  ends.defer(() => onlooker.end())
  await onlooker.query(ownClock(new URL(url).pathname.slice(1)))
  const { port: first } = await provider.listen({ host: '127.0.0.1' })
  using node = new OtherNode(url)
  const second = await node.port
  let calls = 0
  const shops = new CallingShops(provider, () => `http://127.0.0.1:${++calls % 2 === 0 ? first : second}`)
  await shops.add(named('good', size.shops))
  const start = (number: number) => shops.start(`good${number % size.shops}`, 'psp:card')
  const report = await watch(size, {
    name: 'a clock that jumps',
    deadline: 4_000,
    call: start,
    begin: () => node.setAhead(jump),
    end: () => node.setAhead(0),
    isWell: () => start(0),
  })
  // A turn may be shorter than the time between two looks: what they expire is counted below.
  node.setAhead(jump)
  const goesOn = await node.looks()
  const { asked } = node
  await onlooker.query('update ahead set ms = $1', [jump])
  using later = new OtherNode(url)
  const startedGoesOn = await later.looks()
  const { rows } = await onlooker.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from payments group by status',
  )
  if (!goesOn) report.violations.push('the node whose clock jumped looks for nothing any more')
  if (!startedGoesOn) report.violations.push('the node that starts after a jump looks for nothing')
  if (asked > 0) report.violations.push(`the node whose clock jumped asked ${asked} times before it was due`)
  for (const { status, count } of rows)
    if (status !== 'pending') report.violations.push(`${count} payments are ${status} because of a clock`)
  return report
}

/** A node in a process of its own. */
class OtherNode {
  readonly port: Promise<number>
  /** How often it asked the payment service, which is due an hour after a start. */
  asked = 0
  readonly #child: ChildProcess
  #looked = 0

  constructor(url: string) {
    this.#child = fork(new URL('./jumping-node.ts', import.meta.url), [url])
    this.port = new Promise((resolve) => {
      this.#child.on(
        'message',
        ({ checked, asked, port }: { checked?: true; asked?: true; port?: number }) => {
          if (checked) this.#looked++
          if (asked) this.asked++
          if (port !== undefined) resolve(port)
        },
      )
    })
  }

  /** Sets the clock of its machine this far ahead of the true time, in milliseconds. */
  setAhead(ms: number): void {
    this.#looked = 0
    this.#child.send({ ahead: ms })
  }

  /** Whether it looks for what is due. */
  async looks(): Promise<boolean> {
    const until = performance.now() + looksWithin
    while (this.#looked < looks && performance.now() < until) await pause(250)
    return this.#looked >= looks
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL')
  }
}
