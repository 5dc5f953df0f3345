import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { tableRates } from '../../../src/adapters/index.ts'
import { z } from '../../../src/index.ts'
import { newShop } from '../../../src/shops/shop.ts'
import { quoteRates } from '../../../src/use-cases/rates/quote-rates.ts'
import { OpenedSettings } from '../../../src/use-cases/shops/shop-settings.ts'
import { Random } from '../../torture/random.ts'
import { providerOf, questions, worldAt } from './provider.ts'
import { anyCart, median, tariff, timed } from './table.ts'

const shops = 100
const asked = 2_000

/** A quote of one of 100 shops, each with a tariff of its own in memory, and the memory that the tariffs take. */
export async function measureShops(rowsOfEach: number, rounds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-'))
  try {
    const text = tariff(rowsOfEach)
    for (let shop = 0; shop < shops; shop++) writeFileSync(join(folder, `${shop}.csv`), text)
    const settings = z.object({ file: z.string() })
    const adapter = tableRates({
      settings,
      file: (own) => join(folder, own.file),
      folder,
      taxRate: '0.21',
      watch: false,
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
    const times: number[] = []
    // The first rounds compile.
    for (let round = -3; round < rounds; round++) {
      const us = await timed(list, (each) => quoteRates(workings, each.shop, each.asked, each.settings))
      if (round >= 0) times.push(us)
    }
    const rows = adapter.files!.list().reduce((all, { size }) => all + size, 0)
    return { shops, rows, us: median(times), megabytes: bytes / 1024 / 1024, bytesOfRow: bytes / rows }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The memory in use, in bytes, after all that is not used was let go. */
function used(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
