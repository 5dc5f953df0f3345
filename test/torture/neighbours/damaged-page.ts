// A page of the SQLite file is damaged on which the webhooks of some shops lie, and is whole again later. In virtual time: the webhooks of
// all other shops are claimed with the first look, and commands that share a commit with that look are carried out.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StorePort } from '../../../src/store.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { open, paid, start } from '../../stores/cases/store-case.ts'
import { type Call, healsWithin, judge, type NeighbourReport } from './report.ts'
import type { NeighbourSize } from './turns.ts'

const pageSize = 4_096
const second = 1_000
/** How often a provider looks for webhooks that are due. */
const lookEvery = 5 * second
const webhooksOfShop = 20

/** Writes over the page in the middle of a table. Returns what puts it right. */
function damage(file: string, table: string): () => void {
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  const leaves = database
    .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf' order by path")
    .all(table) as { pageno: number }[]
  database.close()
  const at = (leaves[leaves.length >> 1]!.pageno - 1) * pageSize
  const whole = Buffer.alloc(pageSize)
  const write = (page: Buffer) => {
    const to = openSync(file, 'r+')
    if (page !== whole) readSync(to, whole, 0, pageSize, at)
    writeSync(to, page, 0, pageSize, at)
    closeSync(to)
  }
  write(Buffer.alloc(pageSize, 0xff))
  return () => write(whole)
}

async function opened<T>(file: string, use: (store: StorePort) => Promise<T>): Promise<T> {
  const store = sqliteStore({ file })
  await store.open()
  return use(store).finally(() => store.close())
}

export async function damagedPage({ shops }: NeighbourSize): Promise<NeighbourReport> {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-damaged-'))
  const file = join(folder, 'purveyor.db')
  const names = Array.from({ length: shops }, (_, shop) => `shop-${1_000 + shop}`)
  /** Looks at a moment, beside a start that shares the commit. */
  const look = async (store: StorePort, now: number): Promise<{ claimed: string[]; calls: Call[] }> => {
    const due = { now, leaseUntil: now + lookEvery, limit: 1e6, perLane: webhooksOfShop, owner: 'a' }
    const began = names[now % names.length]!
    const [claim, begun] = await Promise.allSettled([
      store.claimWebhooks(due),
      store.openAttempt(open({ shopId: began, orderId: `at ${now}`, now })),
    ])
    const claimed = claim.status === 'fulfilled' ? claim.value.map(({ shopId }) => shopId) : []
    return { claimed, calls: [{ ok: begun.status === 'fulfilled', ms: 1 }] }
  }
  try {
    await opened(file, async (store) => {
      const owe = async (shopId: string, orderId: string) => {
        const { attempt } = await store.openAttempt(open({ shopId, orderId }))
        await store.learn(shopId, orderId, attempt.id, [paid], { source: 'report', now: start })
      }
      await Promise.all(
        names.flatMap((shop) => Array.from({ length: webhooksOfShop }, (_, order) => owe(shop, `${order}`))),
      )
    })
    const repair = damage(file, 'webhooks')
    const bad = await opened(file, (store) => look(store, start))
    const missed = names.filter((shop) => !bad.claimed.includes(shop))
    // A damaged page, and the one on each side of it.
    const own = Math.ceil((3 * pageSize) / (100 * webhooksOfShop))
    const others: Call[] = names.map((shop, place) => ({
      ok: bad.claimed.includes(shop) || missed.indexOf(shop) < own,
      ms: 1 + (place % 2),
    }))
    repair()
    let healedAfter: number | undefined
    const healing = await opened(file, async (store) => {
      const heard = new Set(bad.claimed)
      const calls: Call[] = []
      for (let after = lookEvery; after <= healsWithin * second; after += lookEvery) {
        const looked = await look(store, start + after)
        for (const shop of looked.claimed) heard.add(shop)
        calls.push(...looked.calls)
        if (heard.size === shops) healedAfter ??= after
      }
      return calls
    })
    const report = judge({
      name: 'a damaged page of the SQLite file',
      deadline: lookEvery,
      well: [others.map(({ ms }) => ({ ok: true, ms }))],
      bad: [[...others, ...bad.calls]],
      healing,
      healedAfter,
    })
    if (missed.length === 0) report.violations.push(`${report.name}: no shop met it`)
    return report
  } finally {
    rmSync(folder, { recursive: true })
  }
}
