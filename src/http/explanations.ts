import type { RatesExplanation } from '../rates/explanation.ts'

const kept = 100

/** The last explanations, in development: at `{urlEndpoint}/explanations/{id}`, with the id in the header `Purveyor-Explanation`. */
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
