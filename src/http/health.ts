import { Problem, type ProblemCode } from '../contract/index.ts'
import type { ProviderObserver } from '../observability/observer.ts'
import type { Parts } from '../parts.ts'
import { hashToken } from '../shops/seal.ts'
import type { MaybePromise } from '../world.ts'
import { foldedPath } from './access-log.ts'
import type { Answer } from './answer.ts'
import type { KnownShops } from './endpoints.ts'

const recently = 60_000
/** How long an answer of the store is cached, in milliseconds. */
const keepFor = 1_000
/** How long a call waits for the store, in milliseconds. A balancer waits a few seconds for the call. */
const patience = 500

/** The answer to a health check of this path; `undefined` for any other path. */
export type HealthAnswers = (path: string) => (() => MaybePromise<Answer>) | undefined

/**
 * `/health/live`: the process answers. `/health/ready`: it accepts traffic; otherwise the reason. `/health/ready/rates`: it accepts rate
 * calls, which are answered for an hour while the store is away. A provider without payments stays ready as long. Each is answered from a
 * value that is at most a second old, so that thousands of checks cost the store one.
 */
export function healthAnswers(
  workings: Parts<'world' | 'store' | 'rates' | 'payments' | 'development'>,
  { blocking }: Pick<ProviderObserver, 'blocking'>,
  state: { stopping: boolean },
  known: KnownShops,
): HealthAnswers {
  const store = new StoreHealth(workings)
  const ready = (ratesOnly: boolean) => async (): Promise<Answer> => {
    if (state.stopping) return notReady('SHUTTING_DOWN', { status: 'stopping' })
    // The answer is public, so it shows no business figures.
    const details = workings.development ? { blocking: recentlyIn(blocking, workings.world.now()) } : {}
    const fault = await store.fault()
    if (fault === undefined || (ratesOnly && known.any))
      return { status: 200, body: { status: 'ok', store: fault ?? 'ok', ...details } }
    return notReady('STORE_UNAVAILABLE', { status: 'unavailable', store: fault })
  }
  const answers = new Map<string, () => MaybePromise<Answer>>([
    ['/health/live', () => ({ status: 200, body: { status: 'ok' } })],
    ['/health/ready', ready(workings.payments.adapters.length === 0)],
    ...(workings.rates.adapters.length > 0 ? ([['/health/ready/rates', ready(true)]] as const) : []),
  ])
  return (path) => answers.get(foldedPath(path))
}

/** Status and `Retry-After` are those of the problem. A balancer reads no more than the status. */
function notReady(code: ProblemCode, body: { status: string; store?: string }): Answer {
  const { status, retryAfter } = new Problem(code)
  return { status, body, headers: ['Retry-After', String(retryAfter)], code }
}

/**
 * Probes the store once at a time and at most once a second, for any number of callers. It does a write, and a read that costs the same in a
 * full store as in an empty one. An answer slower than half a second makes the store unreachable until one takes less than half of
 * that. So a slow store is not ready, rather than ready now and then.
 */
class StoreHealth {
  readonly #workings: Parts<'world' | 'store'>
  #fault: Promise<string | undefined> | undefined
  #asking = false
  #isSlow = false
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(workings: Parts<'world' | 'store'>) {
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
const recentlyIn = (blocking: ReadonlyMap<string, number>, now: number): string[] =>
  [...blocking].flatMap(([name, at]) => (now - at < recently ? name : []))
