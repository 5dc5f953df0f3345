import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemWorld } from '../../../src/network/system-world.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { Background } from '../../../src/use-cases/background.ts'
import { open, paid } from '../../stores/cases/store-case.ts'
import { testWorkings } from '../../workings.ts'

const nothing = () => {}

interface DelivererOptions {
  url: string
  calls: number
  lanes: number
  hanging: number
  /** Default: a SQLite file of its own. */
  databaseUrl?: string
}

/** A store in which so many calls are owed, spread over shops, and the background work that makes them. */
export async function deliverer(options: DelivererOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-'))
  const store = storeOf(options.databaseUrl ?? `sqlite:${join(folder, 'owed.db')}`)
  await store.open()
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
  const world = systemWorld(log, { loopback: true })
  const { url, calls, lanes, hanging } = options
  await Promise.all(
    Array.from({ length: calls }, async (_, number) => {
      const lane = number % lanes
      const path = lane < hanging ? url.replace('/webhook', '/hang') : url
      await owe(`shop-${lane}`, String(number), `${path}?order=${number}`)
    }),
  )

  async function owe(shopId: string, orderId: string, webhookUrl: string): Promise<void> {
    const now = world.now()
    const attemptId = `${shopId}.${orderId}`
    const expiresAt = now + 3_600_000
    await store.openAttempt(
      open({ shopId, orderId, webhookUrl, now, attemptId, expiresAt, checkAt: expiresAt }),
    )
    await store.learn(shopId, orderId, attemptId, [paid], { source: 'report', now })
  }

  let settled = 0
  let reached = nothing
  let wanted = Number.POSITIVE_INFINITY
  const settleWebhooks: typeof store.settleWebhooks = async (batch) => {
    const left = await store.settleWebhooks(batch)
    settled += batch.length - left.length
    if (settled >= wanted) reached()
    return left
  }
  const settleWebhook: typeof store.settleWebhook = async (owed, call) => {
    await store.settleWebhook(owed, call)
    if (++settled >= wanted) reached()
  }
  const workings = testWorkings({
    world,
    store: { ...store, settleWebhook, settleWebhooks },
    development: true,
  })
  const background = new Background(workings)

  return {
    /** Resolves when so many calls have been made and noted. */
    until(calls: number): Promise<void> {
      wanted = calls
      return new Promise((resolve) => {
        reached = resolve
        background.start()
      })
    },
    async close(): Promise<void> {
      // Calls that hang are left behind: their leases end with their time.
      void background.stop().catch(nothing)
      await store.close()
      // Otherwise a later round closes the connections of this one.
      world.outgoing.close()
      rmSync(folder, { recursive: true })
    },
  }
}
