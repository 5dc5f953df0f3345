import { addNewRow, type Db } from './columns.ts'
import { all, alone, type Command, prepare } from './query.ts'

/** How long after a write the store is assumed to accept the next one, in milliseconds. */
const believedFor = 10_000
/** The shortest pause between two tries while the store accepts no writes, in milliseconds. */
const tryEvery = 1_000

/** Tests whether writes work: once in ten seconds, after a failed write once a second, for all callers together. */
export class Writes {
  readonly #write: () => Promise<unknown>
  #tried: { at: number; outcome: Promise<unknown> } | undefined
  #failed = false

  /** `write` writes something small. */
  constructor(write: () => Promise<unknown>) {
    this.#write = write
  }

  /** A write failed, and not by its own fault. */
  failed(): void {
    this.#failed = true
  }

  /** Rejects while the store accepts no writes. */
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

export function writeProbe(db: Db, filler: (length: number) => string): () => Command<void> {
  const add = addNewRow(db, 'write_probes', 'id', 'filler')
  const remove = prepare((value) => db.deleteFrom('write_probes').where('id', '=', value('id')))
  return function* probe() {
    const id = filler(20)
    yield* alone()
    yield* all(add, { id, filler: filler(fillerLength) })
    yield* all(remove, { id })
  }
}
