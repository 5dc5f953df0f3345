import { randomBytes } from 'node:crypto'
import type { Db } from './columns.ts'
import { all, alone, type Command } from './query.ts'

/** How long after a write the store is assumed to accept the next one, in milliseconds. */
const believedFor = 10_000
/** The shortest pause between two tries while the store accepts no writes, in milliseconds. */
const tryEvery = 1_000

/** Tests whether writes work: once in ten seconds, after a failed write once a second, for all callers together. */
export class Writes {
  readonly #write: () => Promise<unknown>
  #tried: { at: number; outcome: Promise<unknown> } | undefined
  #failed = false

  constructor(write: () => Promise<unknown>) {
    this.#write = write
  }

  /** A write failed, and not by its own fault. */
  failed(): void {
    this.#failed = true
  }

  async check(): Promise<void> {
    const now = performance.now()
    const age = now - (this.#tried?.at ?? Number.NEGATIVE_INFINITY)
    if (age >= (this.#failed ? tryEvery : believedFor)) {
      this.#failed = false
      const outcome = this.#write()
      outcome.catch(() => this.failed())
      this.#tried = { at: now, outcome }
    }
    await this.#tried?.outcome
  }
}

/** Longer than a page, so that it fails whenever a row of a payment would not fit. */
const fillerLength = 10_000

const filler = (length: number) => randomBytes(length).toString('base64').slice(0, length)

export function writeProbe(db: Db): () => Command<void> {
  const [add, remove] = [db.addRow('write_probes'), db.deleteBy('write_probes', 'id')]
  return function* probe() {
    const id = filler(20)
    yield* alone()
    yield* all(add, { id, filler: filler(fillerLength) })
    yield* all(remove, { id })
  }
}
