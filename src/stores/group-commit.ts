import { StoreUnavailable } from '../store.ts'
import type { Command } from './sql/query.ts'

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
  /** How often it began again because somebody else held the same. */
  tries?: number
  /** How often a damaged page has stopped a part of it. */
  damages?: number
}

/** Commands that share a commit. */
export interface Group {
  commands: Waiting[]
  /** The number of commands that left it because the server rejected them. */
  failed: number
  /** Each command runs behind a savepoint of its own, because many of them may fail. */
  apart: boolean
}

/** The differences between engines. */
export interface GroupEngine {
  /** How long a command is tried again, in milliseconds. */
  triesFor: number
  /** How long a command without a waiting caller may wait to share a commit, in milliseconds. */
  patience: number
  /** The most commands that share a commit, and the most separate commands that do. */
  mostTogether: number
  mostApart: number
  /** Whether a command may be blocked: it runs apart from other shops. */
  isApart?(one: Waiting): boolean
  /** Keeps a command that is blocked. It is added again, or rejected. */
  keeps?(one: Waiting): boolean
  /**
   * Runs the commands of a group in one transaction. `again`: one of them broke it, and the next try leaves it out. `busy`: nothing was
   * committed, and new commands join the next try. Rejects if all of them fail.
   */
  commit(group: Group): Tried | Promise<Tried>
  /** A write failed through no fault of its own. */
  failed(): void
}

export type Tried = 'committed' | 'again' | 'busy'

const busyRetry = 20

/**
 * Commands that arrive in the same moment share one commit, and are answered once it is on disk. Groups run one after the other; new
 * commands form the next group. Separate commands take turns with the groups.
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

  /** It waits for the locked row, or takes its turn with the separate commands. */
  setApart(one: Waiting): void {
    if (!this.#engine.keeps?.(one)) this.#apart.push(one)
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
    const { mostTogether, mostApart } = this.#engine
    const turns = [
      { queue: this.#together, most: mostTogether, apart: false },
      { queue: this.#apart, most: mostApart, apart: true },
    ]
    do {
      // Commands of the same moment join the group.
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

  /** Returns what answers the commands; `undefined` if the engine is busy. */
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

/** Keeps the result of a command for its caller after the commit. */
export function returns(one: Waiting, value: unknown): void {
  one.settle = () => one.resolve(value)
}

/** Keeps the error of a command for its caller after the commit. Further tries leave it out. */
export function refuses(one: Waiting, error: unknown): void {
  one.settle = () => one.reject(error)
  one.refused = true
}
