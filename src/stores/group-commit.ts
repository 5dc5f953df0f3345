import { StoreUnavailable } from '../store.ts'
import type { Command } from './sql/query.ts'

/** A command that waits for its commit. */
export interface Waiting {
  command: () => Command<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Until when it is tried again, in milliseconds of `performance.now()`. */
  until: number
  /** Answers its caller, once the commit is on disk. */
  settle?: () => void
  /** It has refused by itself and takes no part in a further try. */
  refused?: boolean
  /** How often a damaged page has stopped a part of it. */
  damages?: number
}

/** Commands that share a commit. */
export interface Group {
  commands: Waiting[]
  /** How many have left it because of what the server answered. */
  failed: number
  /** Each command runs behind a savepoint of its own, because many of them may fail. */
  apart: boolean
}

/** What differs between engines. */
export interface GroupEngine {
  /** How long a command is tried again while others are in its way, in milliseconds. */
  triesFor: number
  /** How long what nobody waits for may wait for others to share its commit with, in milliseconds. */
  patience: number
  /** So many commands share a commit at most, and so many of those that run apart. */
  mostTogether: number
  mostApart: number
  /** Whether a command runs apart from those of other shops, because it may be blocked. */
  isApart?(one: Waiting): boolean
  /** Keeps a command that is blocked. It is added again, or rejected. */
  keeps?(one: Waiting): boolean
  /**
   * Tries the commands of a group in one transaction. `again`: one of them broke it and takes no part in the next try. `busy`: nothing
   * ran, and what comes meanwhile joins the next try. Rejects when none of them can be carried out.
   */
  commit(group: Group): Tried | Promise<Tried>
  /** A command was not carried out, and it was no fault of its own. */
  failed(): void
}

export type Tried = 'committed' | 'again' | 'busy'

const busyRetry = 20

/**
 * Commands that arrive in the same moment share one commit, and are answered once it is on disk. One group is written after the other:
 * what comes meanwhile is the next group. Commands that are apart take turns with them.
 */
export class GroupCommit {
  readonly #engine: GroupEngine
  readonly #together: Waiting[] = []
  readonly #apart: Waiting[] = []
  #later: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(engine: GroupEngine) {
    this.#engine = engine
  }

  write<T>(command: () => Command<T>, patient = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const until = performance.now() + this.#engine.triesFor
      const one: Waiting = { command, resolve: resolve as (value: unknown) => void, reject, until }
      if (!this.#engine.keeps?.(one)) this.add(one, patient)
    })
  }

  add(one: Waiting, patient = false): void {
    if (this.#engine.isApart?.(one)) this.#apart.push(one)
    else this.#together.push(one)
    if (this.#writing) return
    if (patient && this.#engine.patience > 0)
      this.#later ??= setTimeout(() => this.#begin(), this.#engine.patience)
    else this.#begin()
  }

  /** A command whose shop is blocked waits for the row, or for its turn apart from other shops. */
  setApart(one: Waiting): void {
    if (!this.#engine.keeps?.(one)) this.#apart.push(one)
  }

  /** Resolves when nothing waits any more. */
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
    const { mostTogether, mostApart } = this.#engine
    const turns = [
      { queue: this.#together, most: mostTogether, apart: false },
      { queue: this.#apart, most: mostApart, apart: true },
    ]
    do {
      // What comes in the same moment is part of the group.
      await new Promise(setImmediate)
      for (const { queue, most, apart } of turns) {
        if (queue.length === 0) continue
        const group = { commands: queue.splice(0, most), failed: 0, apart }
        const answer = await this.#commit(group)
        if (answer) answer()
        else {
          queue.unshift(...group.commands)
          await new Promise((resolve) => setTimeout(resolve, busyRetry))
        }
      }
    } while (this.#together.length + this.#apart.length > 0)
    this.#writing = undefined
  }

  /** Returns how the commands are answered; `undefined` where the engine is busy. */
  async #commit(group: Group): Promise<(() => void) | undefined> {
    const { commands } = group
    try {
      let tried: Tried = 'again'
      while (tried === 'again' && commands.length > 0) tried = await this.#engine.commit(group)
      if (tried === 'busy') return undefined
      return () => {
        for (const { settle } of commands) settle!()
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#engine.failed()
      return () => {
        for (const { reject } of commands) reject(error)
      }
    }
  }
}

/** Notes what a command returns, for its caller after the commit. */
export function returns(one: Waiting, value: unknown): void {
  one.settle = () => one.resolve(value)
}

/** Notes what a command refuses with, for its caller after the commit. */
export function refuses(one: Waiting, error: unknown): void {
  one.settle = () => one.reject(error)
  one.refused = true
}
