import type { StoreTrouble } from '../connection.ts'
import { shopIn } from '../holds.ts'
import type { Blocked } from './errors.ts'

/** How long a row is known after a command waited for it, and how often it is tried meanwhile, in milliseconds. */
const knownFor = 5_000
const tryEvery = 100

/**
 * Rows locked by another client, such as a person with an open transaction. A row has the name of the hold whose commands wait for it, or of
 * the shop whose orders share it.
 */
export class LockedRows {
  readonly #rows = new Map<string, { error: Blocked; at: number }>()
  readonly #report: (trouble: StoreTrouble) => void

  constructor(report: (trouble: StoreTrouble) => void) {
    this.#report = report
  }

  /** A command with these holds has waited for a row. Returns its name. */
  add(holds: readonly string[], error: Blocked): string {
    const { shared } = error.step
    const name = shared === undefined ? nameOf(holds) : `shop ${shopIn(shared)}`
    const known = this.#rows.get(name)
    if (!known) this.#report({ code: 'ROW_LOCKED', ...about(name) })
    if (known?.error !== error) this.#rows.set(name, { error, at: performance.now() })
    return name
  }

  /** The row that a command with these holds may wait for. */
  of(holds: readonly string[]): string | undefined {
    if (this.#rows.size === 0) return undefined
    const now = performance.now()
    for (const [name, { at }] of this.#rows) if (at + knownFor < now) this.#rows.delete(name)
    return [nameOf(holds), ...holds, ...holds.map((hold) => `shop ${shopIn(hold)}`)].find((name) =>
      this.#rows.has(name),
    )
  }

  /** Throws if a command has waited for the row a moment ago. */
  check(name: string): void {
    const row = this.#rows.get(name)
    if (row && row.at + tryEvery > performance.now()) throw row.error
  }

  remove(name: string): void {
    this.#rows.delete(name)
  }
}

const nameOf = ([hold = 'nothing']: readonly string[]) => hold

function about(name: string): { shop?: string; order?: string } {
  const [, shop, order] = /^order (\S+) (.+)$/.exec(name) ?? []
  if (shop !== undefined && order !== undefined) return { shop, order }
  const ofShop = shopIn(name)
  return ofShop === undefined ? {} : { shop: ofShop }
}
