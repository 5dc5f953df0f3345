import type { World } from '../../world.ts'

const atOnce = 4
const mostWaiting = 64
/** In milliseconds. */
const waitAtMost = 2_000
const mostNames = 64

/** The lookups of one shop or adapter: 4 at a time, 64 wait for 2 s at most, and the answers of 64 names are kept. */
export class Turns {
  readonly key: string
  readonly #after: World['after']
  readonly #names = new Set<string>()
  readonly #waiting = new Set<(entered: boolean) => void>()
  #open = 0

  constructor(key: string, after: World['after']) {
    this.key = key
    this.#after = after
  }

  get idle(): boolean {
    return this.#open === 0 && this.#names.size === 0
  }

  /** Resolves with `true` at the lookup's turn, or with `false` if the turn does not come. */
  async enter(): Promise<boolean> {
    if (this.#open < atOnce) {
      this.#open++
      return true
    }
    if (this.#waiting.size >= mostWaiting) return false
    return new Promise((resolve) => {
      const settle = (entered: boolean) => {
        this.#waiting.delete(settle)
        cancel()
        resolve(entered)
      }
      const cancel = this.#after(waitAtMost, () => settle(false))
      this.#waiting.add(settle)
    })
  }

  leave(): void {
    const [next] = this.#waiting
    // Gives its place to the next lookup.
    if (next) next(true)
    else this.#open--
  }

  /** Marks a name as used. If there are too many, returns the least recently used one. */
  keep(name: string): string | undefined {
    this.#names.delete(name)
    this.#names.add(name)
    if (this.#names.size <= mostNames) return undefined
    const [oldest] = this.#names
    return oldest
  }

  drop(name: string): void {
    this.#names.delete(name)
  }
}
