import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import type { PaymentStatus } from '../contract/index.ts'
import { RateBreakers } from '../rates/asking/rate-breakers.ts'
import type { ServiceFailureKey, ServiceFailures } from '../store-port.ts'
import { upTo, type World } from '../world.ts'
import type { Attempt } from './ledger/payment.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Where a form leads: to the page again, on to a bank, or to its end. */
export type FormEnd = 'page' | 'go' | 'done'

/** The answer of a payment service that was asked for somebody who reads or waits. */
export interface Asked {
  /** `open`: the customer has not finished. `further`: the service works on the payment, or it has ended. `unknown`: no answer. */
  standing: 'open' | 'further' | 'unknown'
  /** The status of the payment after it was stored. Not set without an answer. */
  status?: PaymentStatus
}

/** The memory of a process for payments, between calls. It is not stored, and grows as it is filled: with `max` a cache takes all at once. */
export class PaymentMemory {
  readonly starts = new Starts()
  /** The last question about an attempt, answered or not, for everybody who reads or reloads: those asked last. `began` is in milliseconds since 1970. */
  readonly asks = new LRUCache<string, { began: number; isRunning: boolean; answer: Promise<Asked> }>(
    upTo(10_000),
  )
  readonly pauses = new AskPauses()
  readonly failures = new ServiceFailureCounts()
  /** Of `methods` of payment adapters. */
  readonly breakers: RateBreakers
  /** Calls in the background. New ones for each start of the provider. */
  calls = new ServiceCalls()
  /** Forms that are handled, by attempt. */
  readonly openForms = new Map<string, Promise<FormEnd>>()
  /** Attempts with a form that still runs, although nobody waits for it any more. */
  readonly lateForms = new Set<string>()
  /** Hosts that are noted in the store and logged, by shop and host: the last 10,000. */
  readonly notedHosts = new LRUCache<string, true>(upTo(10_000))
  /** Faults of reports that are logged, in development: the last 1,000. */
  readonly oddReports = new LRUCache<string, true>(upTo(1_000))

  constructor(world: World) {
    this.breakers = new RateBreakers(world, 'payment')
  }
}

/** The starts of this process: running ones, and those that ended without an outcome. */
class Starts {
  readonly #underWay = new Map<string, Promise<Attempt>>()
  readonly #failed = new LRUCache<string, true>(upTo(10_000))

  /** One start per attempt and process: calls that come together wait for the same outcome. */
  once(id: string, into: (failedHere: boolean) => Promise<Attempt>): Promise<Attempt> {
    const running = this.#underWay.get(id)
    if (running) return running
    const start = into(this.#failed.has(id))
      .then(
        (started) => {
          this.#failed.delete(id)
          return started
        },
        (error: unknown) => {
          this.#failed.set(id, true)
          throw error
        },
      )
      .finally(() => this.#underWay.delete(id))
    this.#underWay.set(id, start)
    return start
  }
}

/** Those who read or reload cause one call of `status` for an attempt in so many milliseconds, however many they are. */
export const askEvery = 2 * second

/** How many calls of a day may have been made at a moment, and in which hour they are counted: a day's calls are spread evenly. */
export function asksSoFar(perDay: number, now: number): { hour: number; most: number } {
  const at = Math.floor(now / hour)
  const ofDay = at % 24
  const inHour = Math.floor((perDay * (ofDay + 1)) / 24) - Math.floor((perDay * ofDay) / 24)
  return { hour: at * hour, most: Math.ceil((inHour * (now % hour)) / hour) }
}

/** When an attempt is looked at again that could not be asked about, in milliseconds from now. `random` is from 0 to 1. */
export const askAgainAfter = (perDay: number, random: number): number =>
  Math.round(Math.max(15 * minute, day / perDay) * (1 + random))

/** Used for a 429 without `Retry-After`. */
const usualPause = minute
/** As of webhooks: a service that asks for longer is asked again after a day. */
const longestPause = day

/** The payment services that asked for a pause, by adapter and shop: an account is not asked before it is over. */
export class AskPauses {
  readonly #until = new Map<string, number>()

  /** A payment service answered 429. `retryAfter` is in milliseconds. */
  begin({ adapter, shop }: Account, now: number, retryAfter = usualPause): void {
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key)
    this.#until.set(`${adapter} ${shop}`, now + Math.min(retryAfter, longestPause))
  }

  /** The milliseconds until an account may be asked again; 0 at once. */
  left({ adapter, shop }: Account, now: number): number {
    return Math.max(0, (this.#until.get(`${adapter} ${shop}`) ?? now) - now)
  }
}

interface Account {
  adapter: string
  shop: string
}

const atOnce = 8
/** Few enough to finish within a lease of the checks, even if every call takes its full time. */
const mostWaiting = 500

/** Too many calls wait for a payment service already, or the provider has stopped. The call was not made. */
export class ServiceCallsFull extends Error {
  override readonly name = 'ServiceCallsFull'
}

/**
 * Background calls to payment services: they close replaced attempts and check open ones. Each adapter has at most 8 open calls of a kind
 * and 500 waiting ones, so that an order with many attempts does not flood its payment service.
 */
export class ServiceCalls {
  readonly #bulkheads = new Map<string, BulkheadPolicy>()
  #ended = false

  /** Runs the call at its turn. Rejects with `ServiceCallsFull` if it is never made. */
  run<T>(kind: 'cancel' | 'check', adapter: string, work: () => Promise<T>): Promise<T> {
    const key = `${kind} ${adapter}`
    const calls = this.#bulkheads.get(key) ?? bulkhead(atOnce, mostWaiting)
    this.#bulkheads.set(key, calls)
    if (calls.executionSlots + calls.queueSlots === 0)
      return Promise.reject(new ServiceCallsFull(`${mostWaiting} calls already wait for ${adapter}`))
    return calls.execute(() => {
      if (this.#ended) throw new ServiceCallsFull('the provider has stopped')
      return work()
    })
  }

  /** Finishes the open calls and begins no more. */
  end(): void {
    this.#ended = true
  }
}

/** So many are stored at a time; the others follow with the next ones. */
const mostAtOnce = 200
const mostKept = 10_000
/** After a success and this pause, or without a success after the longer one, a failure is the first one of another outage. */
const apart = { afterSuccess: 5 * minute, without: 60 * minute }

const nameOf = ({ kind, adapter, shopId }: ServiceFailureKey) => `${kind} ${adapter} ${shopId}`

/**
 * Counts failures of payment services by adapter and shop, in memory. A success costs a look-up, and none while nothing has failed. A stranger
 * who sends pushes changes one number.
 */
export class ServiceFailureCounts {
  readonly #known = new LRUCache<string, ServiceFailures>(upTo(mostKept))
  #changed = new Map<string, ServiceFailures>()

  failed(of: ServiceFailureKey, failure: string, now: number): void {
    const name = nameOf(of)
    const known = this.#known.get(name)
    const before = known && goesOn(known, now) ? known : undefined
    const { firstAt = now, calls = 0 } = before ?? {}
    this.#set(name, { ...of, failure, firstAt, lastAt: now, okAt: undefined, calls: calls + 1 })
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
