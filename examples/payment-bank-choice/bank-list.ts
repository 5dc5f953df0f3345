/** A bank that customers choose from. */
export interface Bank {
  id: string
  name: string
  icon: string
}

const [minute, hour] = [60_000, 3_600_000]

/**
 * The list of banks, asked for once an hour: one call for all customers who wait. While the service is down the old list stays, and the
 * service is asked again after a minute.
 */
export class BankList {
  #banks: readonly Bank[] | undefined
  #freshUntil = 0
  #asking: Promise<readonly Bank[]> | undefined

  /** Rejects if there is no list yet and the service does not answer. */
  async get(ask: () => Promise<readonly Bank[]>, now: number): Promise<readonly Bank[]> {
    if (this.#banks && now < this.#freshUntil) return this.#banks
    this.#asking ??= this.#ask(ask, now).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(ask: () => Promise<readonly Bank[]>, now: number): Promise<readonly Bank[]> {
    try {
      this.#banks = await ask()
      this.#freshUntil = now + hour
    } catch (error) {
      if (!this.#banks) throw error
      this.#freshUntil = now + minute
    }
    return this.#banks
  }
}
