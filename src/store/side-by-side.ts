import type { Command, Step, Wait } from './query.ts'

export interface Flights {
  /** Sends queries, in their order. Rejects with the first error once all are answered. */
  send(steps: readonly Step[]): Promise<unknown[][]>
  /**
   * Holds what is free of these things until the end of the transaction, and resolves with the others. A transaction that holds nothing yet
   * may wait for them, because nobody waits for it.
   */
  take(things: readonly string[], mayWait: boolean): Promise<ReadonlySet<string>>
  /** Resolves before the last queries may go. */
  begun(): Promise<unknown>
  /** Goes along with the last queries. Resolves once all of them are on disk. */
  commit(): Promise<unknown>
}

/** Another transaction holds the same. The command has changed nothing. */
export class HeldElsewhere extends Error {
  override readonly name = 'HeldElsewhere'
  constructor(thing: string) {
    super(`${thing} is held by another transaction`)
  }
}

/** The command cannot share its transaction with others. It has changed nothing. */
export class MustBeAlone extends Error {
  override readonly name = 'MustBeAlone'
}

/** A command on its way to its last queries. */
export class Running {
  readonly #command: Command<unknown>
  readonly holds: string[] = []
  /** Things that are not known to be held yet. */
  asked: readonly string[] = []
  isAlone = false
  /** A value holds once the transaction is on disk. */
  outcome: { value: unknown } | { error: unknown } | undefined
  #wait: Extract<Wait, { steps: unknown }> = { steps: [] }

  /** To its first queries: it holds what it asks for before them. */
  constructor(command: Command<unknown>) {
    this.#command = command
    this.goOn([])
  }

  get steps(): readonly Step[] {
    return this.#wait.steps
  }

  /** The rows of its last queries, if their answer was lost. Not set for a command that does not see them. */
  get ifLost(): unknown[][] | undefined {
    return this.#wait.ifLost
  }

  /** Whether it has come to its last queries or its end. */
  get isLast(): boolean {
    return this.outcome !== undefined || this.#wait.last === true
  }

  get #writes(): boolean {
    return this.steps.some(({ writes }) => writes)
  }

  /** Its queries may go: they are not its last ones, and change nothing as long as a hold is not sure. */
  get maySend(): boolean {
    return !this.isLast && (this.asked.length === 0 || !this.#writes)
  }

  /** Whether others may share its transaction until here. */
  get mayShare(): boolean {
    return this.isLast ? this.ifLost === undefined : !this.#writes
  }

  /** Goes on with the rows of its queries. */
  goOn(rows: unknown[][]): void {
    const wrote = !this.isLast && this.#writes
    try {
      let next = this.#command.next(rows)
      while (!next.done && 'hold' in next.value) {
        this.holds.push(...next.value.hold)
        this.asked = [...this.asked, ...next.value.hold]
        this.isAlone ||= next.value.alone === true
        next = this.#command.next([])
      }
      if (next.done) this.outcome = { value: next.value }
      else if ('steps' in next.value) this.#wait = next.value
    } catch (error) {
      // Its writes must not be committed.
      if (wrote) throw error
      this.outcome = { error }
    }
  }

  /** Goes on after its last queries. */
  finish(rows: unknown[][]): void {
    this.goOn(rows)
    this.leave(new TypeError('A command goes on after its last queries'))
  }

  /** It holds what it has asked for, except for what is held elsewhere. */
  took(elsewhere: ReadonlySet<string>): void {
    const thing = this.asked.find((one) => elsewhere.has(one))
    this.asked = []
    if (thing !== undefined) this.leave(new HeldElsewhere(thing))
  }

  /** Ends with an error, unless it has ended. */
  leave(error: unknown): void {
    this.outcome ??= { error }
  }
}

/**
 * Runs the commands of one transaction beside each other, so that a flight to the server carries queries of many of them: the first one
 * their holds and what they read, the last one what they write and the commit. No two of them hold the same, so each sees what it would see
 * alone. A command that does not get a hold leaves, and so does one that cannot share. Rejects if the transaction broke. Nothing is kept
 * then, unless only the answer to the commit was lost: the commands have their outcomes for that case.
 */
export async function sideBySide(commands: readonly Running[], flights: Flights): Promise<void> {
  const areMany = commands.length > 1
  for (let flight = 0, held = 0; ; flight++) {
    // All holds of commands that share come first, so that no transaction waits for another one.
    for (const one of commands)
      if (areMany && !(one.mayShare && (flight === 0 || one.asked.length === 0))) one.leave(new MustBeAlone())
    const running = commands.filter(({ outcome }) => !outcome)
    const asked = running.flatMap((one) => one.asked)
    const senders = running.filter(({ maySend }) => maySend)
    if (asked.length + senders.length === 0) break
    const mayWait = held === 0 && !areMany && commands[0]!.isAlone
    const taking = asked.length > 0 ? flights.take(asked, mayWait) : new Set<string>()
    const [elsewhere, ...rows] = await settled([taking, ...senders.map(({ steps }) => flights.send(steps))])
    for (const one of running) one.took(elsewhere)
    for (const [index, one] of senders.entries()) if (!one.outcome) one.goOn(rows[index]!)
    held += asked.length
  }
  await commit(commands, flights)
}

/** All that are left have come to their last queries. */
async function commit(commands: readonly Running[], flights: Flights): Promise<void> {
  await flights.begun()
  const left = commands.filter(({ outcome }) => !outcome)
  // It has no shared steps, and no other command beside it.
  const waiting = left.find(({ ifLost }) => ifLost)
  for (const one of left) if (one !== waiting) one.finish([])
  const last = left.filter(({ outcome }) => !outcome || 'value' in outcome)
  const own = last.map(({ steps }) => steps.filter(({ shared }) => shared === undefined))
  const flight = [...own.filter((steps) => steps.length > 0), ...sharedSteps(last).map((step) => [step])]
  const sending = flight.map((steps) => flights.send(steps))
  const committing = flights.commit()
  try {
    await settled([...sending, committing])
    waiting?.finish((await sending[0]) ?? [])
  } catch (error) {
    waiting?.finish(waiting.ifLost!)
    throw error
  }
}

/** The shared steps of all commands, each once, in one order for every transaction. */
function sharedSteps(commands: readonly Running[]): Step[] {
  const byQuery = new Map<string, Step>()
  for (const step of commands.flatMap(({ steps }) => steps)) {
    if (step.shared === undefined) continue
    const query = `${step.sql} ${JSON.stringify(step.values)}`
    // After what any of them writes.
    byQuery.delete(query)
    byQuery.set(query, step)
  }
  // The sort is stable: the steps of one row stay in their order.
  return [...byQuery.values()].sort((one, other) =>
    one.shared! < other.shared! ? -1 : one.shared! > other.shared! ? 1 : 0,
  )
}

async function settled<const Flight extends readonly unknown[]>(flight: Flight) {
  await Promise.allSettled(flight)
  return Promise.all(flight)
}
