// Another client of the database server locks the row of one order. The starts of all other orders must not be affected.
import { postgresStore } from '../../../src/index.ts'
import { payment } from '../../http/messages.ts'
import { connectTo, startPostgres } from '../../postgres.ts'
import type { NeighbourReport } from './report.ts'
import { type CallingShops, named, openShops, redirecting } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

const urls = { redirect_url: 'http://127.0.0.1/back', webhook_url: 'http://127.0.0.1/hook' }
const order = { ...payment({ id: 7_000_000 }), ...urls }

/** Before and behind the start that is blocked. */
const together = 10
/** In milliseconds: a start that is answered after this is late. */
const deadline = 4_000

export async function lockedRow(size: NeighbourSize): Promise<NeighbourReport> {
  await using server = await startPostgres()
  const url = await server.database()
  await using opened = await openShops([...named('good', size.shops), 'bad'], {
    store: postgresStore({ url }),
    payments: redirecting('psp'),
  })
  const { shops } = opened
  const stranger = await connectTo(url)
  await using ends = new AsyncDisposableStack()
  ends.defer(() => stranger.end())
  await shops.post('bad', 'payment', order)
  let held = 0
  const report = await watch(size, {
    name: 'a row that somebody has locked',
    deadline,
    call: (number) => shops.start(`good${number % size.shops}`, 'psp:card'),
    // Its platform asks again and again, as it does where it gets no answer.
    ownCall: async (number) => number % 10 === 0 && shops.post('bad', 'payment', order),
    async begin() {
      await stranger.query('begin')
      await stranger.query(`select * from payments where shop_id = 'bad' for update`)
      held += await startTogether(shops)
    },
    end: () => stranger.query('rollback'),
    isWell: async () => (await shops.post('bad', 'payment', order)) === 201,
  })
  if (held > 0)
    report.violations.push(`${report.name}: ${held} starts of the same moment waited for it or failed`)
  return report
}

/** Starts of one moment share a commit, also with one of the bad shop. Resolves with how many failed or were late while the row is locked. */
async function startTogether(shops: CallingShops): Promise<number> {
  const from = performance.now()
  const good = async (number: number) =>
    (await shops.start(`good${number}`, 'psp:card')) && performance.now() - from < deadline
  const before = Array.from({ length: together }, (_, number) => good(number))
  // It is answered once its row is free.
  void shops.post('bad', 'payment', order).catch(() => {})
  const behind = Array.from({ length: together }, (_, number) => good(together + number))
  return (await Promise.all([...before, ...behind])).filter((started) => !started).length
}
