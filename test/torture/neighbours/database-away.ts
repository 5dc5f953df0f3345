// The database is away while rates are asked, then it is back. No shop that was known goes without its rates.
import { startPostgres } from '../../postgres.ts'
import type { NeighbourReport } from './report.ts'
import { named, openShops } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

/** In the short form too it is away for longer than a shop is taken as it was without a look at the store. */
const atLeast = 10

export async function databaseAway(size: NeighbourSize): Promise<NeighbourReport> {
  await using server = await startPostgres()
  const door = { id: 'door', title: 'Door', price_excl: 1, price_incl: 1.21, tax_rate: 0.21 }
  const good = named('good', size.shops)
  await using opened = await openShops([...good, 'disabled'], {
    rates: { name: 'table', quote: () => [door] },
    http: { limits: { perSecond: 10_000, burst: 10_000 } },
    store: await server.database(),
  })
  const { provider, shops } = opened
  const hasRates = async (shop: string) => (await shops.quote(shop)).includes('door')
  for (const shop of [...good, 'disabled']) await hasRates(shop)
  await provider.shops.disable('disabled')
  let shut = 0
  const report = await watch(size.seconds < atLeast ? { ...size, turns: 2, seconds: atLeast } : size, {
    name: 'a database that is away while rates are asked',
    deadline: 2_500,
    call: (number) => hasRates(good[number % good.length]!),
    async begin() {
      // Earlier answers of the database about a shop stay valid.
      if (!(await hasRates('disabled'))) shut++
      await server.stop()
      if (await hasRates('disabled')) shut = Number.NEGATIVE_INFINITY
    },
    end: () => server.start(),
    isWell: async () => (await provider.shops.list()).length > 0,
  })
  if (shut < 1) report.violations.push(`${report.name}: a shop that was disabled before had rates`)
  return report
}
