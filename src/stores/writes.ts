import type { Kysely } from 'kysely'
import { all, type Command, prepare } from './sql/query.ts'
import type { Tables } from './sql/tables.ts'

/** For so long a store that took a write is believed to take the next one, in milliseconds. */
const believedFor = 10_000
/** So often it is tried at most while it takes none. */
const tryEvery = 1_000

/**
 * Whether writes go through. Nothing is written for it while commands succeed, but once in ten seconds at most; after one that the store
 * could not carry out it is tried once a second, by everybody who asks together.
 */
export class Writes {
  readonly #write: () => Promise<unknown>
  #tried: { at: number; outcome: Promise<unknown> } | undefined
  #failed = false

  /** `write` writes something small. */
  constructor(write: () => Promise<unknown>) {
    this.#write = write
  }

  /** A write was not carried out, and it was no fault of its own. */
  failed(): void {
    this.#failed = true
  }

  /** Rejects while the store takes no writes. */
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

/** Longer than a page, so that it fails where a row of a payment would find no room. */
const fillerLength = 10_000

/** Writes a row and takes it away again. */
export function writeProbe(db: Kysely<Tables>, filler: (length: number) => string): () => Command<void> {
  const add = prepare((value) =>
    db
      .insertInto('write_probes')
      .values({ id: value('id'), filler: value('filler') })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const remove = prepare((value) => db.deleteFrom('write_probes').where('id', '=', value('id')))
  return function* probe() {
    const id = filler(20)
    yield* all(add, { id, filler: filler(fillerLength) })
    yield* all(remove, { id })
  }
}
