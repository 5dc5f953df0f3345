import { type BulkheadPolicy, bulkhead } from 'cockatiel'

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
  readonly #lanes = new Map<string, BulkheadPolicy>()
  #ended = false

  /** Runs the call at its turn. Rejects with `ServiceCallsFull` if it is never made. */
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

  /** Finishes the open calls and begins no more. */
  end(): void {
    this.#ended = true
  }
}
