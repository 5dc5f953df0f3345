import { writeFileSync } from 'node:fs'
import { z } from '../../../src/index.ts'
import { quoteRates } from '../../../src/rates/asking/quote-rates.ts'
import { tableRates } from '../../../src/rates/index.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { OpenedSettings } from '../../../src/shops/shop-settings.ts'
import { collectGarbage } from '../../garbage.ts'
import { temporaryFolder } from '../../temporary.ts'
import { Random } from '../../torture/random.ts'
import { median } from '../measure.ts'
import { providerOf, questions, worldAt } from './provider.ts'
import { anyCart, tariff, timed, timesOf } from './table.ts'

const shops = 100
const asked = 2_000

/** A quote of one of 100 shops, each with a tariff of its own in memory, and the memory that the tariffs take. */
export async function measureShops(rowsOfEach: number, rounds: number) {
  using folder = temporaryFolder()
  const text = tariff(rowsOfEach)
  for (let shop = 0; shop < shops; shop++) writeFileSync(folder.at(`${shop}.csv`), text)
  const adapter = tableRates({
    settings: z.object({ file: z.string() }),
    file: (own) => folder.at(own.file),
    ...{ folder: folder.path, taxRate: '0.21', watch: false },
  })
  const workings = providerOf(worldAt(Date.now), [adapter])
  const ask = questions([adapter])
  const random = new Random(1)
  const opened = Array.from({ length: shops }, (_, at) => ({
    shop: newShop(`shop-${at}`),
    settings: new OpenedSettings(`shop-${at}`, { adapters: { table: { file: `${at}.csv` } } }),
  }))
  const question = () => ask(anyCart(random))
  const before = used()
  const one = question()
  for (const { shop, settings: own } of opened) await quoteRates(workings, shop, one, own)
  const bytes = used() - before
  const list = Array.from({ length: asked }, () => ({ ...random.pick(opened), asked: question() }))
  const { us } = await timesOf(rounds, {
    us: () => timed(list, (each) => quoteRates(workings, each.shop, each.asked, each.settings)),
  })
  const rows = adapter.files!.list().reduce((all, { size }) => all + size, 0)
  return { shops, rows, us: median(us), megabytes: bytes / 1024 / 1024, bytesOfRow: bytes / rows }
}

/** The memory in use, in bytes, after all that is not used was let go. */
function used(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
