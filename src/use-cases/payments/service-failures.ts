import { LRUCache } from 'lru-cache'
import type { ServiceFailureKey, ServiceFailures } from '../../store.ts'

/** So many are stored at a time; the others follow with the next ones. */
const mostAtOnce = 200
const mostKept = 10_000
const minute = 60_000
/** After a success and this pause, or without a success after the longer one, a failure is the first one of another outage. */
const apart = { afterSuccess: 5 * minute, without: 60 * minute }

const nameOf = ({ kind, adapter, shopId }: ServiceFailureKey) => `${kind} ${adapter} ${shopId}`

/**
 * Counts failures of payment services by adapter and shop, in memory. A success costs a look-up, and none while nothing has failed. A stranger
 * who sends pushes changes one number.
 */
export class ServiceFailureCounts {
  readonly #known = new LRUCache<string, ServiceFailures>({ max: mostKept })
  #changed = new Map<string, ServiceFailures>()

  failed(of: ServiceFailureKey, failure: string, now: number): void {
    const name = nameOf(of)
    const known = this.#known.get(name)
    const before = known && goesOn(known, now) ? known : undefined
    const { kind, adapter, shopId } = of
    this.#set(name, {
      ...{ kind, adapter, shopId, failure },
      firstAt: before?.firstAt ?? now,
      lastAt: now,
      okAt: undefined,
      calls: (before?.calls ?? 0) + 1,
    })
  }

  /** The first success after a failure is kept. */
  succeeded(of: ServiceFailureKey, now: number): void {
    if (this.#known.size === 0) return
    const name = nameOf(of)
    const known = this.#known.get(name)
    if (known && known.okAt === undefined) this.#set(name, { ...known, okAt: now })
  }

  /** Those that changed since they were taken last, up to 200. */
  take(): ServiceFailures[] {
    const taken = [...this.#changed].slice(0, mostAtOnce)
    for (const [name] of taken) this.#changed.delete(name)
    return taken.map(([, one]) => one)
  }

  /** They could not be stored: they are taken again, unless they have changed since. */
  putBack(failures: readonly ServiceFailures[]): void {
    const newer = this.#changed
    this.#changed = new Map([...failures.map((one) => [nameOf(one), one] as const), ...newer])
  }

  #set(name: string, counted: ServiceFailures): void {
    this.#known.set(name, counted)
    this.#changed.set(name, counted)
    if (this.#changed.size <= mostKept) return
    const [oldest] = this.#changed.keys()
    this.#changed.delete(oldest!)
  }
}

function goesOn({ lastAt, okAt }: ServiceFailures, now: number): boolean {
  return now - lastAt <= (okAt === undefined ? apart.without : apart.afterSuccess)
}
