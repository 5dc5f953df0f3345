import { writeFileSync } from 'node:fs'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { pickupPoints, tableRates, when } from '../../../src/rates/index.ts'
import { preparing } from '../../rates/adapters/quote.ts'
import { temporaryFolder } from '../../temporary.ts'

/** Some have a place and some have none, in two countries. */
function pointsFile(points: number): string {
  const rows = Array.from({ length: points }, (_, at) => {
    const zipcode = `${1000 + (at % 9000)}${'ABCDEFGH'[at % 8]}${'JKLMNPRS'[(at >> 3) % 8]}`
    const place =
      at % 7 === 0
        ? ','
        : `${50.75 + ((at * 7919) % points) / 7500},${3.4 + ((at * 104_729) % points) / 5300}`
    return `p${at},Point ${at},Street,${at},${zipcode},City,${at % 10 === 0 ? 'be' : 'nl'},${place}`
  })
  return ['id,name,street,number,zipcode,city,country,latitude,longitude', ...rows].join('\n')
}

/** Five methods in as many zones as there are, with ten bands of weight each. */
function tariffFile(lines: number): string {
  const rows = Array.from({ length: lines }, (_, at) => {
    const zone = 1000 + Math.floor(at / 50) * 4
    const band = at % 10
    return `m${Math.floor(at / 10) % 5},Title,nl,${zone}-${zone + 3},${band * 5},${band * 5 + 5},${band + 1}.50,0.21`
  })
  return ['id,title,country,zipcode,weight_from,weight_to,price_excl,tax_rate', ...rows].join('\n')
}

/** Rate adapters over pickup points and a tariff with five times as many lines, ready to answer. */
export async function largeTables(points: number): Promise<AnyRateAdapter[]> {
  using folder = temporaryFolder()
  const [pointsAt, tariffAt] = [folder.at('points.csv'), folder.at('tariff.csv')]
  writeFileSync(pointsAt, pointsFile(points))
  writeFileSync(tariffAt, tariffFile(points * 5))
  const priced = { excl: '3.50', taxRate: '0.21' }
  const adapters: AnyRateAdapter[] = [
    pickupPoints({ file: pointsAt, ...priced }),
    tableRates({ file: tariffAt, name: 'tariff', watch: false }),
    when({ zipcodes: ['10*', '2000-2999'] }, pickupPoints({ file: pointsAt, name: 'some', ...priced })),
  ]
  for (const adapter of adapters) await adapter.prepare?.(preparing)
  return adapters
}
