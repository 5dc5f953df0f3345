import type { Request, Response, Router } from 'express'
import { Problem, type ProblemCode } from '../contract/index.ts'
import { hashToken } from '../shops/tokens.ts'
import type { Workings } from '../use-cases/workings.ts'
import { noteAbout } from './access-log.ts'
import type { KnownShops } from './known-shops.ts'
import { loadExpress } from './packages.ts'

const recently = 60_000
/** How long an answer of the store is cached, in milliseconds. */
const keepFor = 1_000
/** How long a call waits for the store, in milliseconds. A balancer waits a few seconds for the call. */
const patience = 500

/**
 * `/health/live`: the process answers. `/health/ready`: it accepts traffic; otherwise the reason. `/health/ready/rates`: it accepts rate
 * calls, which are answered for an hour while the store is away. A provider without payments stays ready as long.
 */
export function healthRoutes(workings: Workings, state: { stopping: boolean }, known: KnownShops): Router {
  const router = loadExpress().Router()
  const store = new StoreHealth(workings)
  const ready = (ratesOnly: boolean) => async (_req: Request, res: Response) => {
    if (state.stopping) return answerNotReady(res, 'SHUTTING_DOWN', { status: 'stopping' })
    // The answer is public, so it shows no business figures.
    const details = workings.development ? { blocking: blockingAdapters(workings) } : {}
    const fault = await store.fault()
    if (fault === undefined || (ratesOnly && known.any)) {
      return void res.json({ status: 'ok', store: fault ?? 'ok', ...details })
    }
    answerNotReady(res, 'STORE_UNAVAILABLE', { status: 'unavailable', store: fault })
  }
  router.get('/live', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/ready', ready(workings.payments.length === 0))
  if (workings.rates.length > 0) router.get('/ready/rates', ready(true))
  return router
}

/** Status and `Retry-After` are those of the problem. A balancer reads no more than the status. */
function answerNotReady(res: Response, code: ProblemCode, body: { status: string; store?: string }): void {
  const { status, retryAfter } = new Problem(code)
  noteAbout(res, { code })
  res.status(status).set('Retry-After', String(retryAfter)).json(body)
}

/**
 * Probes the store once at a time and at most once a second, for any number of callers. It does a write, and a read that costs the same in a
 * full store as in an empty one. An answer slower than half a second makes the store unreachable until one takes less than half of
 * that. So a slow store is not ready, rather than ready now and then.
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

  /** The reason why the store cannot be used, or `undefined`. */
  fault(): Promise<string | undefined> {
    const isOld = !this.#asking && performance.now() - this.#answeredAt >= keepFor
    if (!this.#fault || isOld) this.#fault = this.#askInTime()
    return this.#fault
  }

  /** The probe continues after its limit, and the next call gets its answer. */
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

/** No endpoint has an empty token, so the index lookup finds nothing. */
const nobody = hashToken('')

/** Adapters that blocked the event loop a moment ago. A blocked process is slow, not broken. */
function blockingAdapters(workings: Workings): string[] {
  const { now } = workings.world
  return [...workings.memory.blocking].flatMap(([name, at]) => (now() - at < recently ? name : []))
}
