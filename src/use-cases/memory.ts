import { LRUCache } from 'lru-cache'
import { upTo } from '../caches.ts'
import type { PaymentStatus } from '../contract/index.ts'
import type { Attempt } from '../payments/payment.ts'
import { AskPauses } from '../payments/waiting.ts'
import type { Need } from '../privacy/needs.ts'
import type { World } from '../world.ts'
import { ServiceFailureCounts } from './payments/service-failures.ts'
import { RateBreakers } from './rates/rate-breakers.ts'
import { RateMemory } from './rates/rate-memory.ts'
import { DriftNotes } from './shops/drift.ts'
import type { OpenedSettings } from './shops/shop-settings.ts'

export interface Needing {
  needs?: readonly Need[]
}

/** Where a form leads: to the page again, on to a bank, or to its end. */
export type FormEnd = 'page' | 'go' | 'done'

/** The answer of a payment service that was asked for somebody who reads or waits. */
export interface Asked {
  /** `open`: the customer has not finished. `further`: the service works on the payment, or it has ended. `unknown`: no answer. */
  standing: 'open' | 'further' | 'unknown'
  /** The status of the payment after it was stored. Not set without an answer. */
  status?: PaymentStatus
}

// biome-ignore lint/suspicious/noExplicitAny: what is left is what the adapter's own type parameter says
export type Cut = (message: object) => any

/** The size limit of the opened settings of all shops together, in characters of their sealed text plus some for the rest. */
const settingsAtMost = 64 * 1024 * 1024

interface KnownSettings {
  version: number
  settings: OpenedSettings
  size: number
}

/** A provider's memory between calls, of one process. It is not stored, and grows as it is filled: with `max` a cache takes all at once. */
export class Memory {
  /** By shop, with their version: those used last. */
  readonly settings = new LRUCache<string, KnownSettings>({
    maxSize: settingsAtMost,
    sizeCalculation: ({ size }) => size,
  })
  readonly cuts = new Map<Needing, Cut>()
  readonly starts = new Starts()
  readonly serviceFailures = new ServiceFailureCounts()
  /** The last question about an attempt, answered or not, for everybody who reads or reloads: those asked last. `began` is in milliseconds since 1970. */
  readonly asks = new LRUCache<string, { began: number; isRunning: boolean; answer: Promise<Asked> }>(
    upTo(10_000),
  )
  readonly askPauses = new AskPauses()
  /** Of `methods` of payment adapters. */
  readonly methodBreakers: RateBreakers
  /** Forms that are handled, by attempt. */
  readonly openForms = new Map<string, Promise<FormEnd>>()
  /** Attempts with a form that still runs, although nobody waits for it any more. */
  readonly lateForms = new Set<string>()
  /** Notes of hosts in the store, under way or done, by shop and host. */
  readonly notedHosts = new Map<string, Promise<void>>()
  /** The adapters that blocked the event loop, with the last time. */
  readonly blocking = new Map<string, number>()
  readonly cpuBefore: CpuBefore
  /** Faults of reports that are logged, in development: the last 1,000. */
  readonly oddReports = new LRUCache<string, true>(upTo(1_000))
  readonly drift = new DriftNotes()
  readonly #world: World
  #rates: RateMemory | undefined

  constructor(world: World) {
    this.#world = world
    this.cpuBefore = new CpuBefore(world)
    this.methodBreakers = new RateBreakers(world, 'payment')
  }

  /** Created at the first request: a provider without rates needs none. */
  get rates(): RateMemory {
    this.#rates ??= new RateMemory(this.#world)
    return this.#rates
  }
}

/** A reading of the CPU time serves calls that begin within so many milliseconds: it costs as much as a look-up in a table of rates. */
const servesFor = 5

/** The CPU time of the thread as calls begin. */
export class CpuBefore {
  readonly #world: Pick<World, 'cpu'>
  #readAt = Number.NEGATIVE_INFINITY
  #cpu: number | undefined

  constructor(world: Pick<World, 'cpu'>) {
    this.#world = world
  }

  /** The CPU time at `now`, or at most 5 ms before, in milliseconds. `undefined` where only the clock is known. */
  at(now: number): number | undefined {
    const age = now - this.#readAt
    if (age < 0 || age >= servesFor) {
      this.#readAt = now
      this.#cpu = this.#world.cpu?.()
    }
    return this.#cpu
  }
}

const keepFailed = 10_000

/** The starts of this process: running ones, and those that ended without an outcome. */
class Starts {
  readonly #underWay = new Map<string, Promise<Attempt>>()
  readonly #failed = new Set<string>()

  /** One start per attempt and process: calls that come together wait for the same outcome. */
  once(id: string, into: (failedHere: boolean) => Promise<Attempt>): Promise<Attempt> {
    let start = this.#underWay.get(id)
    if (!start) {
      start = this.#tracked(id, into)
      this.#underWay.set(id, start)
    }
    return start
  }

  async #tracked(id: string, into: (failedHere: boolean) => Promise<Attempt>): Promise<Attempt> {
    try {
      const started = await into(this.#failed.has(id))
      this.#failed.delete(id)
      return started
    } catch (error) {
      if (this.#failed.size >= keepFailed) this.#failed.clear()
      this.#failed.add(id)
      throw error
    } finally {
      this.#underWay.delete(id)
    }
  }
}
