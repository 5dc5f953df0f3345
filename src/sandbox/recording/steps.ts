/** A step of a session beside its calls: one of the customer on a provider's payment page, or one of the clock. */
export type SessionStep =
  | {
      step: 'customer'
      orderId: number
      /** The button or link of the page. */
      choose: string
      /** The start of the payment whose page it is, 0 for the first one of the order; -1 for the last one. */
      start: number
      /** The number of tabs at the same moment. */
      tabs: number
    }
  | {
      step: 'clock'
      /** How far it moved forward, in milliseconds. */
      ms: number
    }

/** Notes how a step ended. */
export type StepEnd = (done: boolean) => void

/** The steps of a session as they begin. */
export class SessionSteps {
  readonly #listeners = new Set<(step: SessionStep) => StepEnd>()

  /** Calls back as a step begins, and calls the returned function at its end. Returns how to stop. */
  follow(listener: (step: SessionStep) => StepEnd): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes a step. Rejects as it does. */
  async take<T>(step: SessionStep, taking: () => Promise<T>): Promise<T> {
    const ends = [...this.#listeners].map((begin) => begin(step))
    try {
      const result = await taking()
      for (const end of ends) end(true)
      return result
    } catch (error) {
      for (const end of ends) end(false)
      throw error
    }
  }
}
