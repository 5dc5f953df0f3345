// A carrier hangs for all its shops, then answers again. It may cost a few of them their patience, and the shops of another carrier nothing,
// even beside a shop of theirs whose key has expired.
import type { OfferedShipmentMethod, RateAdapter } from '../../../src/index.ts'
import type { NeighbourReport } from './report.ts'
import { named, openShops } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

/** In milliseconds: how long an answer waits for an adapter. */
const deadline = 500
/** So many failures of a shop in one go open its own breaker. */
const expiredInARow = 8

const method = (id: string): OfferedShipmentMethod => ({
  ...{ id, title: id, price_excl: 1, price_incl: 1.21, tax_rate: 0.21 },
})

export async function hangingCarrier(size: NeighbourSize): Promise<NeighbourReport> {
  let hangs = false
  /** Calls that waited for the carrier until their deadline. */
  let waited = 0
  const hanging: RateAdapter = {
    name: 'hanging',
    quote(_request, { shop, signal }) {
      if (!shop.id.startsWith('bad')) return []
      if (!hangs) return [method('hanging')]
      signal.addEventListener('abort', () => waited++)
      return new Promise(() => {})
    },
  }
  const sound: RateAdapter = {
    name: 'sound',
    quote(_request, { shop }) {
      if (shop.id.startsWith('bad')) return []
      if (shop.id === 'expired') throw new Error('401')
      return [method('sound')]
    },
  }
  const ids = [...named('good', size.shops), ...named('bad', size.shops), 'expired']
  await using opened = await openShops(ids, { rates: { adapters: [hanging, sound], deadline } })
  const { shops } = opened
  const offers = async (shop: string, id: string) => (await shops.quote(shop)).includes(id)
  const report = await watch(size, {
    name: 'a carrier that hangs for all shops',
    deadline: 2_500,
    call: (number) => offers(`good${number % size.shops}`, 'sound'),
    ownCall: (number) => offers(`bad${number % size.shops}`, 'hanging'),
    async begin() {
      hangs = true
      for (let time = 0; time < expiredInARow; time++) await shops.quote('expired')
    },
    end: () => (hangs = false),
    isWell: () => offers('bad0', 'hanging'),
  })
  // Those that were under way when it began to hang, with room for a busy machine, and one that tries every ten seconds.
  const { turns, seconds, perSecond } = size
  const most = turns * ((3 * perSecond * deadline) / 1_000 + seconds / 10 + 5)
  if (waited > most / (seconds < 10 ? turns / 2 : 1))
    report.violations.push(`${report.name}: ${waited} calls waited for it until their deadline`)
  return report
}
