import { systemWorld } from '../../../src/network/system-world.ts'
import { Background } from '../../../src/provider/background.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { noLog } from '../../quiet-world.ts'
import { openOwed } from '../../stores/cases/store-case.ts'
import { temporaryFolder } from '../../temporary.ts'
import { testWorkings } from '../../workings.ts'

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
  const folder = temporaryFolder()
  const store = storeOf(options.databaseUrl ?? `sqlite:${folder.at('owed.db')}`)
  await store.open()
  const world = systemWorld(noLog, { loopback: true })
  const { url, calls, lanes, hanging } = options
  const owe = (number: number) => {
    const lane = number % lanes
    const path = lane < hanging ? url.replace('/webhook', '/hang') : url
    const [shopId, orderId, now] = [`shop-${lane}`, String(number), world.now()]
    const ends = { expiresAt: now + 3_600_000, checkAt: now + 3_600_000 }
    const webhookUrl = `${path}?order=${number}`
    return openOwed(store, { shopId, orderId, webhookUrl, now, attemptId: `${shopId}.${orderId}`, ...ends })
  }
  await Promise.all(Array.from({ length: calls }, (_, number) => owe(number)))

  let settled = 0
  let reached = () => {}
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
  const watched = { ...store, settleWebhook, settleWebhooks }
  const background = new Background(testWorkings({ world, store: watched, development: true }))

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
      void background.stop().catch(() => {})
      await store.close()
      // Otherwise a later round closes the connections of this one.
      world.outgoing.close()
      folder[Symbol.dispose]()
    },
  }
}
