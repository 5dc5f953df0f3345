import type { Command, Step, Wait } from './query.ts'

/** The outcome of a command; not set if the transaction broke before its end. */
export type Outcome = { value: unknown } | { error: unknown } | undefined

export interface SideBySide {
  outcomes: Outcome[]
  /** A query failed, or a command failed after a write: the transaction must not be committed. */
  broken: boolean
}

/**
 * Runs the commands of one transaction beside each other, so that a flight to the server carries queries of many of them. Each
 * sees what it would see if they ran one after the other: those that hold the same thing wait for each other, and one that
 * holds nothing from its start runs alone. `send` runs queries in their order, and rejects once all are answered.
 */
export async function sideBySide(
  commands: readonly (() => Command<unknown>)[],
  send: (steps: readonly Step[]) => Promise<unknown[][]>,
): Promise<SideBySide> {
  const outcomes: Outcome[] = commands.map(() => undefined)
  const holds = new Holds()
  let broken = false

  const sent = (steps: readonly Step[]) =>
    send(steps).catch((error) => {
      broken = true
      throw error
    })

  async function finish(index: number, command: Command<unknown>, first: IteratorResult<Wait, unknown>) {
    const held: string[] = []
    let next = first
    let wrote = false
    try {
      while (!next.done && !broken) {
        if ('hold' in next.value) {
          await holds.take(next.value.hold)
          held.push(...next.value.hold)
          next = command.next([])
        } else {
          const { steps } = next.value
          wrote ||= steps.some(({ writes }) => writes)
          next = command.next(await sent(steps))
        }
      }
      if (next.done) outcomes[index] = { value: next.value }
    } catch (error) {
      outcomes[index] = { error }
      broken ||= wrote
    } finally {
      holds.letGo(held)
    }
  }

  const beside: Promise<void>[] = []
  for (const [index, make] of commands.entries()) {
    const command = make()
    const first = begun(command)
    if ('error' in first) {
      outcomes[index] = first
      continue
    }
    const alone = first.done || 'steps' in first.value
    if (alone) await Promise.all(beside.splice(0))
    beside.push(finish(index, command, first))
    if (alone) await Promise.all(beside.splice(0))
  }
  await Promise.all(beside)
  return { outcomes, broken }
}

/** Runs a command up to its first wait. */
function begun(command: Command<unknown>): IteratorResult<Wait, unknown> | { error: unknown } {
  try {
    return command.next()
  } catch (error) {
    return { error }
  }
}

/** The holds, each with its waiting commands in order. */
class Holds {
  readonly #held = new Set<string>()
  #waiting: { things: readonly string[]; go: () => void }[] = []

  take(things: readonly string[]): Promise<void> | undefined {
    if (this.#isFree(things)) {
      this.#hold(things)
      return undefined
    }
    return new Promise((go) => this.#waiting.push({ things, go }))
  }

  letGo(things: readonly string[]): void {
    if (things.length === 0) return
    for (const thing of things) this.#held.delete(thing)
    this.#waiting = this.#waiting.filter(({ things, go }) => {
      if (!this.#isFree(things)) return true
      this.#hold(things)
      go()
      return false
    })
  }

  #isFree = (things: readonly string[]) => !things.some((thing) => this.#held.has(thing))
  #hold(things: readonly string[]): void {
    for (const thing of things) this.#held.add(thing)
  }
}
