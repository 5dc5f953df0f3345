import type { Attempt } from '../../payments/payment.ts'

const keepFailed = 10_000

/** The starts of this process: running ones, and those that ended without an outcome. */
export class Starts {
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
