import { type BulkheadPolicy, bulkhead } from 'cockatiel'

const atOnce = 8
/** Fewer than a lease of the checks lasts, also where each call takes as long as it may. */
const mostWaiting = 500

/** Too many calls wait for a payment service already, or the provider has stopped. The call was not made. */
export class ServiceCallsFull extends Error {
  override readonly name = 'ServiceCallsFull'
}

/**
 * Calls to payment services that nobody waits for: they close replaced attempts and check open ones. Each adapter has 8 of a kind
 * under way and 500 waiting, so that an order with many attempts is no burst for its payment service.
 */
export class ServiceCalls {
  readonly #lanes = new Map<string, BulkheadPolicy>()
  #ended = false

  /** Runs the call when it is its turn. Rejects with `ServiceCallsFull` where it is never made. */
  run<T>(kind: 'cancel' | 'check', adapter: string, work: () => Promise<T>): Promise<T> {
    const key = `${kind} ${adapter}`
    const lane = this.#lanes.get(key) ?? bulkhead(atOnce, mostWaiting)
    this.#lanes.set(key, lane)
    if (lane.executionSlots + lane.queueSlots === 0)
      return Promise.reject(new ServiceCallsFull(`${mostWaiting} calls wait for ${adapter} already`))
    return lane.execute(() => {
      if (this.#ended) throw new ServiceCallsFull('the provider has stopped')
      return work()
    })
  }

  /** Finishes what is under way and begins nothing more. */
  end(): void {
    this.#ended = true
  }
}
