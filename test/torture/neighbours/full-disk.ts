// The disk of the store is full: no payment starts, and every caller gets 503. Rates go on, and all of it heals.
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { price, sqliteStore } from '../../../src/index.ts'
import { checkout } from '../../http/messages.ts'
import { temporaryFolder } from '../../temporary.ts'
import type { NeighbourReport } from './report.ts'
import { named, openShops, redirecting } from './shops.ts'
import { type NeighbourSize, pause, watch } from './turns.ts'

export async function fullDisk(size: NeighbourSize): Promise<NeighbourReport> {
  using folder = temporaryFolder()
  using disk = limitedDisk()
  const lines: string[] = []
  await using opened = await openShops([...named('good', size.shops), 'bad'], {
    store: sqliteStore({ file: folder.at('store.db') }),
    logger: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    rates: {
      name: 'door',
      quote: () => [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }],
    },
    payments: redirecting('psp'),
  })
  const { shops, url } = opened
  const isReady = async () => (await fetch(`${url}/health/ready`)).status === 200
  let ready = 0
  const report = await watch(size, {
    name: 'a disk that is full',
    deadline: 4_000,
    call: async (number) =>
      (await shops.post(`good${number % size.shops}`, 'shipment_methods', checkout)) === 201,
    ownCall: () => shops.start('bad', 'psp:card'),
    begin: () => disk.setFull(true),
    async end() {
      // The answer is kept for a second.
      await pause(1_100)
      if (await isReady()) ready++
      disk.setFull(false)
    },
    isWell: async () => (await shops.start('bad', 'psp:card')) && isReady(),
  })
  if (ready > 0) report.violations.push(`in ${ready} turns a provider on a full disk was ready`)
  if (!lines.some((line) => line.includes('SQLITE_FULL')))
    report.violations.push('the log does not name SQLITE_FULL')
  return report
}

/** Lets no file of SQLite in this process grow while the disk is set full: SQLite then says what it says of a full disk. */
function limitedDisk() {
  const { prepare } = DatabaseSync.prototype
  const databases = new Set<DatabaseSync>()
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql) {
    databases.add(this)
    return prepare.call(this, sql)
  }
  return {
    setFull(full: boolean) {
      for (const one of databases)
        if (one.isOpen) one.exec(`pragma max_page_count = ${full ? 1 : 1_000_000_000}`)
    },
    [Symbol.dispose]() {
      DatabaseSync.prototype.prepare = prepare
    },
  }
}
