import type { RatesExplanation } from '../rates/explanation.ts'

const kept = 100

/**
 * Keeps the explanations of the last rate answers. A shop reads them, in development only, at `{urlEndpoint}/explanations/{id}` with the id
 * of the answer's `Purveyor-Explanation` header.
 */
export class Explanations {
  readonly #byId = new Map<string, RatesExplanation>()

  /** Returns the header with its id. */
  keep(requestId: string, shopId: string, explanation: RatesExplanation): string[] {
    this.#byId.set(`${shopId} ${requestId}`, explanation)
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= kept) break
      this.#byId.delete(oldest)
    }
    return ['Purveyor-Explanation', requestId]
  }

  of(requestId: string, shopId: string): RatesExplanation | undefined {
    return this.#byId.get(`${shopId} ${requestId}`)
  }
}
