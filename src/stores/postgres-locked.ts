import type { Waiting } from './group-commit.ts'
import { unavailable } from './postgres-errors.ts'
import { heldBy, isOf, isShared, shopOf } from './postgres-touches.ts'
import type { Step } from './sql/query.ts'

/** How often a locked row is tried while a command waits for it, and while none does, in milliseconds. */
const tryEvery = 50
const lookEvery = 500
/** The most rows remembered after their commands were given up. */
const rememberAtMost = 100

interface LockedRow {
  step: Step
  /** The holds of the commands that touch it. */
  things: readonly string[]
  /** The shop whose other orders may wait for it too. */
  shop: string | undefined
  waiting: Waiting[]
}

interface LockedRowsOptions {
  /** The steps that would not wait for a lock now. */
  free(steps: readonly Step[]): Promise<readonly boolean[]>
  /** The lock of a command is gone. */
  goOn(one: Waiting): void
  /** Another client has locked a row of a command with these holds, or one that all orders of the shop share. */
  found(things: readonly string[], shop: string | undefined): void
}

/**
 * Rows locked by another client, such as a person with an open transaction. Their commands wait here and not in a group, so that no other
 * command waits with them. A command that does not run in time is rejected. A row is known until its lock is gone: later commands about the
 * same order wait here at once, and those that may touch it as well are carried out apart from other shops.
 */
export class LockedRows {
  readonly #options: LockedRowsOptions
  readonly #rows = new Map<string, LockedRow>()
  #timer: NodeJS.Timeout | undefined
  #lookAt = Number.POSITIVE_INFINITY

  constructor(options: LockedRowsOptions) {
    this.#options = options
  }

  add(one: Waiting, step: Step): void {
    const key = keyOf(step)
    const shop = isShared(one, step) ? shopOf(one) : undefined
    const row = this.#rows.get(key) ?? { step, things: heldBy(one), shop, waiting: [] }
    if (!this.#rows.has(key)) {
      this.#rows.set(key, row)
      this.#options.found(row.things, shop)
    }
    row.waiting.push(one)
    this.#schedule()
  }

  /** Queues a command that would wait for a known locked row. */
  takes(one: Waiting): boolean {
    if (this.#rows.size === 0) return false
    const things = heldBy(one)
    for (const row of this.#rows.values()) {
      if (!row.things.some((thing) => things.includes(thing))) continue
      row.waiting.push(one)
      this.#schedule()
      return true
    }
    return false
  }

  /** Whether a step would wait for a known locked row. */
  has(step: Step): boolean {
    return this.#rows.size > 0 && this.#rows.has(keyOf(step))
  }

  /** Whether a command might wait for a known locked row. */
  mayBlock(one: Waiting): boolean {
    for (const { shop } of this.#rows.values()) if (shop !== undefined && isOf(one, shop)) return true
    return false
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#lookAt = Number.POSITIVE_INFINITY
    for (const { waiting } of this.#rows.values()) for (const { reject } of waiting) reject(unavailable())
    this.#rows.clear()
  }

  /** Plans the next check. New commands do not postpone it. */
  #schedule(): void {
    const rows = [...this.#rows.values()]
    if (rows.length === 0) return
    const wait = rows.some(({ waiting }) => waiting.length > 0) ? tryEvery : lookEvery
    if (performance.now() + wait >= this.#lookAt) return
    clearTimeout(this.#timer)
    this.#lookAt = performance.now() + wait
    this.#timer = setTimeout(() => void this.#look(), wait)
    if (wait === lookEvery) this.#timer.unref()
  }

  async #look(): Promise<void> {
    // No other check begins before the end of this one.
    this.#lookAt = Number.NEGATIVE_INFINITY
    const looked = [...this.#rows]
    // The commands themselves detect a server that does not answer.
    const free = await this.#options
      .free(looked.map(([, { step }]) => step))
      .catch(() => looked.map(() => true))
    for (const [index, [key, row]] of looked.entries()) {
      if (free[index]) {
        this.#rows.delete(key)
        for (const one of row.waiting) this.#options.goOn(one)
        continue
      }
      const [late, waiting] = partition(row.waiting, ({ until }) => until < performance.now())
      row.waiting = waiting
      for (const { reject } of late) reject(unavailable(new Error('another client has locked a row')))
      if (waiting.length === 0 && this.#rows.size > rememberAtMost) this.#rows.delete(key)
    }
    this.#lookAt = Number.POSITIVE_INFINITY
    this.#schedule()
  }
}

const keyOf = ({ sql, values }: Step) => `${sql} ${values.join(' ')}`

function partition<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  const { true: yes = [], false: no = [] } = Object.groupBy(all, (one) => `${belongs(one)}`)
  return [yes, no]
}
