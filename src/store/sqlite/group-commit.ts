import { StoreUnavailable } from '../connection.ts'
import type { Command } from '../query.ts'

export interface Waiting {
  command: () => Command<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Until when it is tried again, in milliseconds of `performance.now()`. */
  until: number
  /** Answers its caller once the commit is on disk. */
  settle?: () => void
  /** It has rejected by itself, and further tries leave it out. */
  refused?: boolean
  /** How often a damaged page has stopped a part of it. */
  damages?: number
}

/** The file that the commands are written to. */
export interface GroupEngine {
  /** How long a command is tried again, in milliseconds. */
  triesFor: number
  /** How long a command without a waiting caller may wait to share a commit, in milliseconds. */
  patience: number
  /**
   * Runs the commands of a group in one transaction. `again`: one of them broke it, and the next try leaves it out. `busy`: nothing was
   * committed, and new commands join the next try. Throws if all of them fail.
   */
  commit(group: readonly Waiting[]): Tried
  /** A write failed through no fault of its own. */
  failed(): void
}

export type Tried = 'committed' | 'again' | 'busy'

const busyRetry = 20

/**
 * Commands that arrive in the same moment share one commit, and are answered once it is on disk. Groups run one after the other; new
 * commands form the next group.
 */
export class GroupCommit {
  readonly #engine: GroupEngine
  readonly #waiting: Waiting[] = []
  #later: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(engine: GroupEngine) {
    this.#engine = engine
  }

  write<T>(command: () => Command<T>, patient = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const until = performance.now() + this.#engine.triesFor
      this.#waiting.push({ command, resolve: resolve as (value: unknown) => void, reject, until })
      if (this.#writing) return
      if (patient && this.#engine.patience > 0)
        this.#later ??= setTimeout(() => this.#begin(), this.#engine.patience)
      else this.#begin()
    })
  }

  /** Resolves when no command waits any more. */
  async idle(): Promise<void> {
    if (this.#later) this.#begin()
    while (this.#writing) await this.#writing
  }

  #begin(): void {
    clearTimeout(this.#later)
    this.#later = undefined
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    do {
      // Commands of the same moment join the group.
      await new Promise(setImmediate)
      const group = this.#waiting.splice(0)
      const answer = this.#commit(group)
      if (answer) answer()
      else {
        this.#waiting.unshift(...group)
        await new Promise((resolve) => setTimeout(resolve, busyRetry))
      }
    } while (this.#waiting.length > 0)
    this.#writing = undefined
  }

  /** Returns what answers the commands; `undefined` if the engine is busy. */
  #commit(group: readonly Waiting[]): (() => void) | undefined {
    try {
      let tried: Tried = 'again'
      while (tried === 'again') tried = this.#engine.commit(group)
      if (tried === 'busy') return undefined
      return () => {
        for (const { settle } of group) settle!()
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#engine.failed()
      return () => {
        for (const { reject } of group) reject(error)
      }
    }
  }
}

/** Keeps the result of a command for its caller after the commit. */
export function returns(one: Waiting, value: unknown): void {
  one.settle = () => one.resolve(value)
}

/** Keeps the error of a command for its caller after the commit. Further tries leave it out. */
export function refuses(one: Waiting, error: unknown): void {
  one.settle = () => one.reject(error)
  one.refused = true
}
