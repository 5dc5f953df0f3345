import type { Command, Step, Wait } from './query.ts'

/**
 * The outcome of a command; not set if the transaction broke before its end. One whose last queries failed has both: if their answer was lost
 * beside a commit that is on disk, its value holds.
 */
export type Outcome = { value: unknown } | { error: unknown; value?: unknown } | undefined

export interface SideBySide {
  outcomes: Outcome[]
  /** A query failed, or a command failed after a write: the transaction must not be committed. */
  broken: boolean
}

/** The transaction that the commands share. */
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
  /** The last queries are on their way. Called once at most. */
  ending(): void
}

/** Somebody else holds the same: another command of the transaction, or another transaction. Nothing was changed. */
export class HeldElsewhere extends Error {
  override readonly name = 'HeldElsewhere'
  /** Whether it is another command of the same transaction. */
  readonly here: boolean
  constructor(thing: string, here: boolean) {
    super(`${thing} is held by another ${here ? 'command' : 'transaction'}`)
    this.here = here
  }
}

/**
 * Runs the commands of one transaction beside each other, so that a flight to the server carries queries of many of them: the first one
 * their holds and what they read, the last one what they write. A command that does not get a hold leaves. Two with the same hold are never in one transaction,
 * so each sees what it would see alone.
 */
export async function sideBySide(
  commands: readonly (() => Command<unknown>)[],
  flights: Flights,
): Promise<SideBySide> {
  const running = new RunningCommands(commands)
  while (running.rest() && !running.broken) {
    running.hold()
    const asked = running.askedThings()
    const senders = running.senders()
    if (asked.length + senders.length > 0) await fly(running, { asked, senders }, flights)
    else await flyLast(running, flights)
  }
  return running
}

async function fly(
  running: RunningCommands,
  { asked, senders }: { asked: string[]; senders: Running[] },
  { take, send }: Flights,
): Promise<void> {
  const taking = outcomeOf(
    asked.length > 0 ? take(asked, running.mayWait()) : Promise.resolve(new Set<string>()),
  )
  const sending = senders.map((one) => outcomeOf(send(one.steps)))
  const [taken, ...answers] = await Promise.all([taking, ...sending])
  running.took(taken)
  for (const [index, one] of senders.entries()) running.answered(one, answers[index]!)
}

/** All that are left have come to their last queries. Those that wait for rows have no shared steps. */
async function flyLast(running: RunningCommands, flights: Flights): Promise<void> {
  await flights.begun()
  const last = running.last()
  if (running.broken) return
  const own = last.map(({ steps }) => steps.filter(({ shared }) => shared === undefined))
  const sending = own.map((steps) => (steps.length > 0 ? outcomeOf(flights.send(steps)) : nothing))
  const shared = sharedSteps(last)
  const sendingShared = shared.map(([, step]) => outcomeOf(flights.send([step])))
  flights.ending()
  const answers = [...(await Promise.all(sending)), ...(await Promise.all(sendingShared))]
  const senders = [...last, ...shared.map(([one]) => one)]
  for (const [index, one] of senders.entries()) running.sent(one, answers[index]!)
}

const nothing = Promise.resolve<Answer>({ value: [] })

/** The shared steps of all commands, each once, in one order for every transaction. */
function sharedSteps(last: readonly Running[]): (readonly [Running, Step])[] {
  const byQuery = new Map<string, readonly [Running, Step]>()
  for (const one of last) {
    for (const step of one.steps) {
      if (step.shared === undefined) continue
      const query = `${step.sql} ${JSON.stringify(step.values)}`
      // After what any of them writes.
      byQuery.delete(query)
      byQuery.set(query, [one, step])
    }
  }
  // The sort is stable: the steps of one row stay in their order.
  return [...byQuery.values()].sort(([, one], [, other]) =>
    one.shared! < other.shared! ? -1 : one.shared! > other.shared! ? 1 : 0,
  )
}

type Answered<T> = { value: T } | { error: unknown }
type Answer = Answered<unknown[][]>

const outcomeOf = <T>(promise: Promise<T>): Promise<Answered<T>> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

/** A command that has come to a wait. */
class Running {
  readonly index: number
  readonly command: Command<unknown>
  wait: Wait
  /** Not known to be held yet. */
  asked: readonly string[] = []
  /** It shares its transaction with no other. */
  alone = false
  wrote = false

  constructor(index: number, command: Command<unknown>, wait: Wait) {
    this.index = index
    this.command = command
    this.wait = wait
  }

  get steps(): readonly Step[] {
    return 'steps' in this.wait ? this.wait.steps : []
  }

  get ifLost(): unknown[][] | undefined {
    return 'steps' in this.wait ? this.wait.ifLost : undefined
  }

  /** Its queries may go: they are not its last ones, and change nothing as long as a hold is not sure. */
  get maySend(): boolean {
    if ('hold' in this.wait || this.wait.last) return false
    return this.asked.length === 0 || !this.steps.some(({ writes }) => writes)
  }
}

class RunningCommands implements SideBySide {
  readonly outcomes: Outcome[]
  broken = false
  readonly #running = new Set<Running>()
  /** The holder of each thing. */
  readonly #held = new Map<string, Running>()

  constructor(commands: readonly (() => Command<unknown>)[]) {
    this.outcomes = commands.map(() => undefined)
    for (const [index, make] of commands.entries()) {
      const one = new Running(index, make(), { hold: [] })
      this.#running.add(one)
      this.#advance(one, [])
    }
  }

  rest = (): boolean => this.#running.size > 0
  /** The only command holds nothing but what it asks for now. */
  mayWait = (): boolean => {
    const [one, ...others] = this.#running
    return one!.alone && others.length === 0 && one!.asked.length === this.#held.size
  }
  askedThings = (): string[] => [...this.#running].flatMap(({ asked }) => asked)
  senders = (): Running[] => [...this.#running].filter(({ maySend }) => maySend)

  /** Gives commands the holds that no other command of the transaction has. They go on before the server agrees. */
  hold(): void {
    for (const one of this.#running) {
      while (this.#running.has(one) && 'hold' in one.wait) {
        const { hold } = one.wait
        const taken = hold.find((thing) => (this.#held.get(thing) ?? one) !== one)
        if (taken !== undefined) this.#end(one, { error: new HeldElsewhere(taken, true) })
        else {
          one.alone ||= one.wait.alone === true
          for (const thing of hold) this.#held.set(thing, one)
          one.asked = [...one.asked, ...hold]
          this.#advance(one, [])
        }
      }
    }
  }

  /** The server has answered which holds are elsewhere. */
  took(taken: Answered<ReadonlySet<string>>): void {
    for (const one of this.#running) {
      const { asked } = one
      one.asked = []
      if (asked.length === 0) continue
      if ('error' in taken) this.#fail(one, taken.error)
      else {
        const elsewhere = asked.find((thing) => taken.value.has(thing))
        if (elsewhere !== undefined) this.#end(one, { error: new HeldElsewhere(elsewhere, false) })
      }
    }
  }

  /** All that are left, at their last queries: their values are known before these go, but for those that wait for rows. */
  last(): Running[] {
    const left = [...this.#running]
    for (const one of left) if (one.ifLost === undefined) this.#finish(one, [])
    return left.filter((one) => this.#running.has(one) || 'value' in this.outcomes[one.index]!)
  }

  /** The last queries of a command are answered. */
  sent(one: Running, answer: Answer): void {
    if ('error' in answer) {
      this.broken = true
      if (this.#running.has(one)) this.#finish(one, one.ifLost!)
      // The first error is the reason of those after it.
      this.outcomes[one.index] = { error: answer.error, ...this.outcomes[one.index]! }
    } else if (this.#running.has(one)) this.#finish(one, answer.value)
  }

  /** Goes on after the last queries. */
  #finish(one: Running, rows: unknown[][]): void {
    this.#advance(one, rows)
    if (this.#running.has(one)) this.#fail(one, new TypeError('A command goes on after its last queries'))
  }

  /** Goes on with the rows of its queries. */
  answered(one: Running, answer: Answer): void {
    one.wrote ||= one.steps.some(({ writes }) => writes)
    if (!this.#running.has(one)) return
    if ('error' in answer) this.#fail(one, answer.error)
    else this.#advance(one, answer.value)
  }

  #advance(one: Running, rows: unknown[][]): void {
    try {
      const { done, value } = one.command.next(rows)
      if (done) this.#end(one, { value })
      else one.wait = value
    } catch (error) {
      this.broken ||= one.wrote
      this.#end(one, { error })
    }
  }

  #fail(one: Running, error: unknown): void {
    this.broken = true
    this.#end(one, { error })
  }

  #end(one: Running, outcome: Outcome): void {
    this.outcomes[one.index] = outcome
    this.#running.delete(one)
  }
}
