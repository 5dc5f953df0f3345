import { LRUCache } from 'lru-cache'
import type { RatesExplanation } from '../rates/explanation.ts'

const kept = 100

/** Names the explanation of an answer, in development. */
export const explanationHeader = 'Purveyor-Explanation'

/** The last explanations, in development: at `{urlEndpoint}/explanations/{id}`, with the id in the header `Purveyor-Explanation`. */
export class Explanations {
  readonly #byId = new LRUCache<string, RatesExplanation>({ max: kept })

  /** Returns the header with its id. */
  keep(requestId: string, shopId: string, explanation: RatesExplanation): string[] {
    this.#byId.set(`${shopId} ${requestId}`, explanation)
    return [explanationHeader, requestId]
  }

  of(requestId: string, shopId: string): RatesExplanation | undefined {
    return this.#byId.get(`${shopId} ${requestId}`)
  }
}
