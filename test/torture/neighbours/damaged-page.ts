// A page of the SQLite file is damaged on which the webhooks of some shops lie, and is whole again later. The webhooks of all other shops
// are claimed with the first look, and commands that share a commit with that look are carried out.
import type { StorePort } from '../../../src/store-port.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { open, openOwed, start } from '../../stores/cases/store-case.ts'
import { spoilPage } from '../../stores/sqlite-tables.ts'
import { temporaryFolder } from '../../temporary.ts'
import { type Call, healsWithin, judge, type NeighbourReport } from './report.ts'
import type { NeighbourSize } from './turns.ts'

const pageSize = 4_096
const second = 1_000
/** How often a provider looks for webhooks that are due. */
const lookEvery = 5 * second
const webhooksOfShop = 20

async function opened<T>(file: string, use: (store: StorePort) => Promise<T>): Promise<T> {
  const store = sqliteStore({ file })
  await store.open()
  return use(store).finally(() => store.close())
}

/**
 * Each turn looks at the whole file, damages another page, looks again, and looks on once it is repaired. Its time is virtual, and `seconds` and `perSecond` mean nothing
 * to it: what a look claims depends on the file alone. A webhook takes until the look that claims it, 5 s at least, and a start no time.
 */
export async function damagedPage({ shops, turns }: NeighbourSize): Promise<NeighbourReport> {
  using folder = temporaryFolder()
  const file = folder.at('purveyor.db')
  const names = Array.from({ length: shops }, (_, shop) => `shop-${1_000 + shop}`)
  let now = start
  /** Looks when the claims of the last look are over, beside a start that shares the commit. */
  const look = async (store: StorePort): Promise<{ claimed: Set<string>; begun: Call }> => {
    now += lookEvery
    const due = { now, leaseUntil: now + lookEvery, limit: 1e6, perLane: webhooksOfShop, owner: 'a' }
    const began = names[(now / lookEvery) % names.length]!
    const [claim, begun] = await Promise.allSettled([
      store.claimWebhooks(due),
      store.openAttempt(open({ shopId: began, orderId: `at ${now}`, now })),
    ])
    const claimed = claim.status === 'fulfilled' ? claim.value.map(({ shopId }) => shopId) : []
    return { claimed: new Set(claimed), begun: { ok: begun.status === 'fulfilled', ms: 0 } }
  }
  /** The calls of these shops in a turn: the webhooks that are claimed with its look, and the start beside it. */
  const callsOf = (
    { claimed, begun }: Awaited<ReturnType<typeof look>>,
    among: readonly string[],
  ): Call[] => [...among.map((shop) => ({ ok: claimed.has(shop), ms: lookEvery })), begun]
  /** Looks until the webhooks of these shops are claimed. Resolves with how long that took, and `undefined` where it takes too long. */
  const heal = async (store: StorePort, unheard: readonly string[], calls: Call[]) => {
    const ended = now
    let left = unheard
    while (left.length > 0 && now - ended < healsWithin * second) {
      const { claimed, begun } = await look(store)
      left = left.filter((shop) => !claimed.has(shop))
      calls.push(begun)
    }
    return left.length > 0 ? undefined : now - ended
  }
  const orders = Array.from({ length: webhooksOfShop }, (_, order) => `${order}`)
  await opened(file, (store) => {
    const owed = names.flatMap((shopId) => orders.map((orderId) => openOwed(store, { shopId, orderId })))
    return Promise.all(owed)
  })
  const [well, bad]: [Call[][], Call[][]] = [[], []]
  // A damaged page, and the one on each side of it.
  const own = Math.ceil((3 * pageSize) / (100 * webhooksOfShop))
  const healing: Call[] = []
  const healed: (number | undefined)[] = []
  let unmet = 0
  for (let turn = 0; turn < turns; turn++) {
    well.push(callsOf(await opened(file, look), names))
    const repair = spoilPage(file, 'webhooks', (turn + 0.5) / turns)
    const looked = await opened(file, look)
    const missed = names.filter((shop) => !looked.claimed.has(shop))
    const others = names.filter((shop) => !missed.slice(0, own).includes(shop))
    bad.push(callsOf(looked, others))
    if (missed.length === 0) unmet++
    repair()
    healed.push(await opened(file, (store) => heal(store, missed, healing)))
  }
  const report = judge({
    name: 'a damaged page of the SQLite file',
    deadline: lookEvery,
    ...{ well, bad, healing },
    healedAfter: healed.includes(undefined) ? undefined : Math.max(...(healed as number[])),
  })
  if (unmet > 0) report.violations.push(`${report.name}: no shop met it in ${unmet} turns`)
  return report
}
