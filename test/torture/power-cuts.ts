import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { open } from '../stores/cases/store-case.ts'
import { temporaryFolder } from '../temporary.ts'
import { Random } from './random.ts'

export interface PowerCutReport {
  images: number
  /** Commands that were acknowledged before the cut and are not in the image. */
  lost: number
  /** Images that do not open. */
  broken: number
}

/** An order, and the money that was learned of it. */
interface Acknowledged {
  order: string
  money: string[]
}

const imagesPerStore = 400
const movements = [[], [], ['paid'], ['paid', 'refunded'], ['paid', 'charged_back', 'refunded']] as const
const damages = ['none', 'cut', 'zeroed', 'garbled'] as const

/**
 * Takes the disk's image right after an acknowledgement, damages later writes as a power cut may, and opens it: everything acknowledged
 * must be there. The part of the log from before the acknowledgement was synced and stays whole.
 */
export async function runPowerCuts(images: number, seed: number): Promise<PowerCutReport> {
  const report: PowerCutReport = { images: 0, lost: 0, broken: 0 }
  const random = new Random(seed)
  // A store begins anew now and then: a large one takes long to copy.
  while (report.images < images)
    await cutOne(Math.min(images, report.images + imagesPerStore), random, report)
  return report
}

async function cutOne(images: number, random: Random, report: PowerCutReport): Promise<void> {
  using folder = temporaryFolder()
  const file = folder.at('live.db')
  const store = sqliteStore({ file })
  await store.open()
  await using ends = new AsyncDisposableStack()
  ends.defer(() => store.close())
  const acknowledged: Acknowledged[] = []
  let order = 0
  while (report.images < images) {
    const id = String(++order)
    const now = Date.now()
    const { attempt } = await store.openAttempt(attemptOf(id, now))
    const known: Acknowledged = { order: id, money: [] }
    acknowledged.push(known)
    for (const word of random.pick(movements)) {
      const event = `${word}-${id}`
      const movement = { word, event, amount: word === 'paid' ? '29.34' : '9.00', currency: 'eur' } as const
      await store.learn('default', id, attempt.id, [movement], { source: 'report', now })
      known.money.push(`${word} ${movement.amount}`)
    }
    const synced = sizeOf(`${file}-wal`)
    const watched = acknowledged.slice(-40)
    // Not acknowledged: it may be on disk in part, or not at all.
    const late = store.openAttempt(attemptOf(`late-${order}`, now))
    if (random.chance(0.5)) await late
    const image = folder.at('image.db')
    copyFileSync(file, image)
    copyFileSync(`${file}-wal`, `${image}-wal`)
    rmSync(`${image}-shm`, { force: true })
    damage(`${image}-wal`, synced, random)
    check(image, watched, report)
    await late
  }
}

const sizeOf = (file: string) => (existsSync(file) ? readFileSync(file).length : 0)

/** Damages the part of the log that was not synced, as a power cut does. */
function damage(wal: string, synced: number, random: Random): void {
  const bytes = readFileSync(wal)
  // A log that started over is shorter than what was synced: nothing of it is known to be unsynced.
  if (bytes.length <= synced) return
  const at = random.between(synced, bytes.length)
  const how = random.pick(damages)
  if (how === 'cut') truncateSync(wal, at)
  if (how === 'zeroed') writeFileSync(wal, bytes.fill(0, at))
  if (how === 'garbled') {
    for (let place = at; place < bytes.length; place++) bytes[place] = random.between(0, 255)
    writeFileSync(wal, bytes)
  }
}

function check(image: string, watched: readonly Acknowledged[], report: PowerCutReport): void {
  report.images++
  try {
    const database = new DatabaseSync(image)
    const owed = '(select count(*) from webhooks n where n.order_id = p.order_id)'
    const [find, facts, changes] = [
      `select status, ${owed} as owed from payments p where shop_id = 'default' and order_id = ?`,
      `select kind, amount from facts where shop_id = 'default' and order_id = ? order by number`,
      `select kind, amount from changes where shop_id = 'default' and order_id = ? and kind <> 'opened' order by id`,
    ].map((sql) => database.prepare(sql)) as [StatementSync, StatementSync, StatementSync]
    for (const { order, money } of watched) {
      const row = find.get(order) as { status: string; owed: number } | undefined
      const isPaid = money.length > 0
      // The status and the call it owes are one commit, and so are a movement and its line of the feed.
      const isWhole = row && (!isPaid || (row.status === 'paid' && row.owed === 1))
      const stored = [facts, changes].map((lines) =>
        lines.all(order).map(({ kind, amount }) => `${kind} ${amount}`),
      )
      if (!isWhole || stored.some((lines) => lines.join() !== money.join())) report.lost++
    }
    database.close()
  } catch {
    report.broken++
  }
}

const attemptOf = (orderId: string, now: number) =>
  open({
    ...{ orderId, now, attemptId: `default.${orderId}`, idempotencyKey: orderId, pageHash: orderId },
    ...{ expiresAt: now + 3_600_000, checkAt: now + 3_600_000 },
  })
