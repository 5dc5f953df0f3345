import { openNameServer } from '../../network/name-server.ts'
import type { NeighbourReport } from './report.ts'
import { named, openShopsByName } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

/** How many shops have the silent name server. */
const badShops = 50

/** The name of a shop's payment service has to be found for each of its starts. */
export async function silentNameServer(size: NeighbourSize): Promise<NeighbourReport> {
  let silent = false
  let newest = 'silent-before'
  // Known names serve on while their server is silent: in each turn these are asked for the first time.
  const hostOf = (shop: string) => (shop.startsWith('bad') ? `${newest}-${shop}.example` : `${shop}.example`)
  const names = await openNameServer((name) =>
    silent && name.startsWith('silent') ? 'silent' : { addresses: ['127.0.0.1'], ttl: 5 },
  )
  await using ends = new AsyncDisposableStack()
  ends.defer(() => names.close())
  const ids = [...named('good', size.shops), ...named('bad', badShops)]
  await using opened = await openShopsByName(ids, names.address, hostOf)
  const { shops, port } = opened
  let askedAgain = 0
  const start = (shop: string) => shops.start(shop, 'psp:card', `http://${hostOf(shop)}:${port}/hook`)
  /** Whether the second of two starts asks for the name again, instead of failing by what the first has learnt. */
  const isAskedAgain = async (shop: string) => {
    await start(shop)
    const before = names.asked.get(hostOf(shop))
    await start(shop)
    return names.asked.get(hostOf(shop)) !== before
  }
  const report = await watch(size, {
    name: 'a name server that is silent',
    deadline: 4_000,
    call: (number) => start(`good${number % size.shops}`),
    ownCall: (number) => start(`bad${number % badShops}`),
    begin(turn) {
      newest = `silent-${turn}`
      silent = true
    },
    async end() {
      if (await isAskedAgain('bad0')) askedAgain++
      silent = false
    },
    isWell: () => start('bad0'),
  })
  if (askedAgain > 0)
    report.violations.push(`in ${askedAgain} turns a silent name server was asked again for a start`)
  return report
}
