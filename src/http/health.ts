import type { Request, Response, Router } from 'express'
import { hashToken } from '../shops/tokens.ts'
import type { Workings } from '../use-cases/workings.ts'
import { noteAbout } from './access-log.ts'
import type { KnownShops } from './known-shops.ts'
import { loadExpress } from './packages.ts'

const recently = 60_000
/** How long an answer of the store is kept, in milliseconds. */
const keepFor = 1_000
/** How long a call waits for the store to answer, in milliseconds: a balancer waits a few seconds for ours. */
const patience = 500

/**
 * `/health/live`: the process answers. `/health/ready`: it takes traffic, with the reason when it does not. `/health/ready/rates`: it
 * takes calls for rates, which go on for an hour while the store is away. A provider without payments is ready as long.
 */
export function healthRoutes(workings: Workings, state: { stopping: boolean }, known: KnownShops): Router {
  const router = loadExpress().Router()
  const store = new StoreHealth(workings)
  const ready = (ratesOnly: boolean) => async (_req: Request, res: Response) => {
    if (state.stopping) {
      noteAbout(res, { code: 'SHUTTING_DOWN' })
      return void res.status(503).json({ status: 'stopping' })
    }
    // Everybody can ask: how the business stands is not for everybody.
    const details = workings.development ? { blocking: blockingAdapters(workings) } : {}
    const fault = await store.fault()
    if (fault === undefined || (ratesOnly && known.any)) {
      return void res.json({ status: 'ok', store: fault ?? 'ok', ...details })
    }
    noteAbout(res, { code: 'STORE_UNAVAILABLE' })
    res.status(503).set('Retry-After', '5').json({ status: 'unavailable', store: fault })
  }
  router.get('/live', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/ready', ready(workings.payments.length === 0))
  if (workings.rates.length > 0) router.get('/ready/rates', ready(true))
  return router
}

/**
 * Asks the store one question at a time and at most once a second, however many want to know: for something that costs the same in a full
 * store as in an empty one, and whether writes go through. One answer that takes longer than half a second makes the store unreachable,
 * until one takes less than half of that: a store that is slow is not ready, rather than ready now and then.
 */
class StoreHealth {
  readonly #workings: Workings
  #fault: Promise<string | undefined> | undefined
  #asking = false
  #isSlow = false
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(workings: Workings) {
    this.#workings = workings
  }

  /** What keeps the store from being used; `undefined` for nothing. */
  fault(): Promise<string | undefined> {
    const isOld = !this.#asking && performance.now() - this.#answeredAt >= keepFor
    if (!this.#fault || isOld) this.#fault = this.#askInTime()
    return this.#fault
  }

  /** The question goes on after its time, and its answer is the next one that is given. */
  #askInTime(): Promise<string | undefined> {
    this.#asking = true
    const asked = performance.now()
    const answered = this.#ask().then((fault) => {
      this.#answeredAt = performance.now()
      this.#isSlow = this.#answeredAt - asked > (this.#isSlow ? patience / 2 : patience)
      return fault ?? (this.#isSlow ? 'unreachable' : undefined)
    })
    void answered.then(() => {
      this.#asking = false
      this.#fault = answered
    })
    return new Promise((resolve) => {
      const cancel = this.#workings.world.after(patience, () => resolve('unreachable'))
      void answered.then(resolve).finally(cancel)
    })
  }

  async #ask(): Promise<string | undefined> {
    const { store, world } = this.#workings
    const answers = await store.shopByEndpoint(nobody, world.now()).then(
      () => true,
      () => false,
    )
    if (!answers) return 'unreachable'
    return store.check().then(
      () => undefined,
      () => 'takes no writes',
    )
  }
}

/** No endpoint has an empty token: it is looked for in an index, and not found. */
const nobody = hashToken('')

/** Adapters that blocked the event loop a moment ago. A blocked process is slow, and not out of order. */
function blockingAdapters(workings: Workings): string[] {
  const { now } = workings.world
  return [...workings.memory.blocking].flatMap(([name, at]) => (now() - at < recently ? name : []))
}
