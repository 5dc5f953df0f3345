import { LRUCache } from 'lru-cache'
import type { PaymentStatus } from '../contract/index.ts'
import { RateBreakers } from '../rates/asking/rate-breakers.ts'
import { upTo, type World } from '../world.ts'
import type { Attempt } from './ledger/payment.ts'
import { AskPauses } from './ledger/waiting.ts'
import { ServiceCalls, ServiceFailureCounts } from './service-failures.ts'

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
  /** Notes of hosts in the store, under way or done, by shop and host. */
  readonly notedHosts = new Map<string, Promise<void>>()
  /** Faults of reports that are logged, in development: the last 1,000. */
  readonly oddReports = new LRUCache<string, true>(upTo(1_000))

  constructor(world: World) {
    this.breakers = new RateBreakers(world, 'payment')
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
