import { type StoreTrouble, StoreUnavailable } from '../connection.ts'
import { slotOf } from '../holds.ts'
import type { Command } from '../query.ts'
import { HeldElsewhere, MustBeAlone, Running } from '../side-by-side.ts'
import { Writes } from '../writes.ts'
import { Blocked, isAway, retryReason, unavailable } from './errors.ts'
import { LockedRows } from './locked.ts'
import { type PostgresServer, patience, pause } from './server.ts'
import { commitTogether } from './transaction.ts'

const mostTogether = 50
/** The most groups at a time, and the share of the connections that they may take: the others read. */
const mostGroups = 4
const shareOfGroups = 0.4
/** A second group pays where a flight to the server takes longer, in milliseconds. On a near server a single one shares more commits. */
const nearBy = 0.7
/** A group that takes longer waits for a lock or a connection, in milliseconds: the next one begins beside it. */
const slow = 20
/** How long a statement waits for a row that another client has locked and keeps locked, in milliseconds. */
const briefly = 20

interface Waiting {
  command: () => Command<unknown>
  running: Running
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Until when it is tried again, in milliseconds of `performance.now()`. */
  until: number
  tries: number
  /** The locked row that it has waited for. */
  row?: string
}

/**
 * Writes in groups: the commands of a moment share a transaction, and no two groups under way hold the same. A command that does not fit into
 * a group is written alone: its hold is not free, it needs another one on its way, or its group broke, by whichever command.
 */
export class PostgresWriter {
  readonly #server: PostgresServer
  readonly #report: (trouble: StoreTrouble) => void
  readonly #writes: Writes
  readonly #locked: LockedRows
  readonly #mostGroups: number
  #queue: Waiting[] = []
  /** Things that the groups under way hold. */
  readonly #held = new Set<string>()
  #groups = 0
  /** Groups in a row whose connection broke: the server may be starting, and each try is a connection. */
  #broken = 0
  /** The groups under way that began a moment ago. */
  #quick = 0
  #isGathering = false
  readonly #open = new Set<Promise<unknown>>()
  /** Commands that go alone, by one connection each: those that claim or administer, those that another client blocks, and all others. */
  readonly #claims = new Line()
  readonly #blocked = new Line()
  readonly #others = [new Line(), new Line()]

  constructor(
    server: PostgresServer,
    connections: number,
    probe: () => Command<void>,
    report: (trouble: StoreTrouble) => void,
  ) {
    this.#server = server
    this.#report = report
    this.#writes = new Writes(() => this.write(probe))
    this.#locked = new LockedRows(report)
    this.#mostGroups = Math.max(1, Math.min(mostGroups, Math.floor(connections * shareOfGroups)))
  }

  write<T>(command: () => Command<T>): Promise<T> {
    const writing = new Promise<T>((resolve, reject) => {
      const until = performance.now() + patience
      const running = new Running(command())
      this.#begin({ command, running, resolve: resolve as (value: unknown) => void, reject, until, tries: 0 })
    })
    this.#open.add(writing)
    writing.catch(() => {}).finally(() => this.#open.delete(writing))
    return writing
  }

  check(): Promise<void> {
    return this.#writes.check()
  }

  async end(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open)
  }

  #begin(one: Waiting): void {
    const { outcome, isAlone } = one.running
    if (outcome) this.#answer(one)
    else if (isAlone) void this.#writeAlone(one)
    else {
      this.#queue.push(one)
      this.#gather()
    }
  }

  #gather(): void {
    if (this.#isGathering || this.#queue.length === 0 || !this.#mayBegin()) return
    this.#isGathering = true
    // Commands of the same moment join the group.
    setImmediate(() => {
      this.#isGathering = false
      const group = this.#nextGroup()
      if (group.length > 0) void this.#writeGroup(group)
    })
  }

  #mayBegin(): boolean {
    if (this.#groups === this.#mostGroups) return false
    return this.#quick === 0 || this.#server.flight > nearBy
  }

  /** Those whose holds no group under way has, and no command before them in the same group. Those that may wait for a locked row go alone. */
  #nextGroup(): Waiting[] {
    const group: Waiting[] = []
    this.#queue = this.#queue.filter((one) => {
      const { holds } = one.running
      if (this.#locked.of(holds) !== undefined) void this.#writeAlone(one)
      else if (group.length === mostTogether || holds.some((thing) => this.#held.has(thing))) return true
      else {
        for (const thing of holds) this.#held.add(thing)
        group.push(one)
      }
      return false
    })
    return group
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const holds = group.flatMap(({ running }) => running.holds)
    this.#groups++
    this.#quick++
    let isQuick = true
    const letNextBegin = () => {
      if (isQuick) this.#quick--
      isQuick = false
      this.#gather()
    }
    const timer = setTimeout(letNextBegin, slow)
    this.#gather()
    try {
      await commitTogether(
        this.#server,
        group.map(({ running }) => running),
      )
      this.#broken = 0
      for (const one of group) this.#answer(one)
    } catch (error) {
      await this.#broke(group, error)
    }
    clearTimeout(timer)
    for (const thing of holds) this.#held.delete(thing)
    this.#groups--
    letNextBegin()
  }

  /** Nothing of a group was kept, or nobody knows. */
  async #broke(group: readonly Waiting[], error: unknown): Promise<void> {
    if (error instanceof StoreUnavailable) for (const one of group) this.#refuse(one, error)
    else if (retryReason(error) === 'connection') {
      // Each waits for its own time, and those that came meanwhile join the next try.
      const now = performance.now()
      for (const one of group) {
        if (one.until <= now) this.#refuse(one, error)
        else this.#queue.push({ ...one, running: new Running(one.command()) })
      }
      await pause(this.#broken++)
    } else if (group.length === 1) void this.#failed(group[0]!, error)
    else {
      if (error instanceof Blocked) this.#note(group, error)
      for (const one of group) void this.#writeAlone(one)
    }
  }

  /** Others of the group may wait for the same row. */
  #note(group: readonly Waiting[], error: Blocked): void {
    const { step } = error
    const blocked = group.filter(({ running: { steps } }) =>
      steps.some((one) => one === step || (one.shared !== undefined && one.shared === step.shared)),
    )
    for (const one of blocked) one.row = this.#locked.add(one.running.holds, error)
  }

  async #writeAlone(one: Waiting): Promise<void> {
    one.running = new Running(one.command())
    try {
      await this.#tryAlone(one)
    } catch (error) {
      return this.#failed(one, error)
    }
    this.#answer(one)
  }

  #tryAlone(one: Waiting): Promise<void> {
    const { holds, isAlone } = one.running
    const row = this.#locked.of(holds)
    if (row === undefined) {
      const line = isAlone ? this.#claims : this.#others[slotOf(`${holds}`) % this.#others.length]!
      return line.run(() => commitTogether(this.#server, [one.running]))
    }
    return this.#blocked.run(async () => {
      const mustWait = one.row === row
      if (mustWait || holds.includes(row)) this.#locked.check(row)
      await commitTogether(this.#server, [one.running], briefly)
      if (mustWait) this.#locked.remove(row)
    })
  }

  #answer(one: Waiting): void {
    const outcome = one.running.outcome!
    if ('value' in outcome) one.resolve(outcome.value)
    else if (outcome.error instanceof MustBeAlone) void this.#writeAlone(one)
    else void this.#failed(one, outcome.error)
  }

  /** Tries a command again while there is time. Its time begins anew with the first try, unless the server is away: it may have queued for long. */
  async #failed(one: Waiting, error: unknown): Promise<void> {
    const reason = error instanceof HeldElsewhere ? 'held' : retryReason(error)
    if (one.tries === 0 && reason !== 'connection') one.until = performance.now() + patience
    if (error instanceof Blocked) one.row = this.#locked.add(one.running.holds, error)
    if (!reason || performance.now() >= one.until) return this.#refuse(one, error)
    if (!(error instanceof Blocked)) this.#report({ code: 'COMMAND_RETRIED', reason })
    await pause(one.tries++)
    void this.#writeAlone(one)
  }

  #refuse(one: Waiting, error: unknown): void {
    const isStore = error instanceof HeldElsewhere || retryReason(error) || isAway(error)
    if (isStore || error instanceof StoreUnavailable) this.#writes.failed()
    one.reject(isStore ? unavailable(error) : error)
  }
}

/** Tasks one after the other. */
class Line {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const running = this.#last.then(task)
    this.#last = running.catch(() => {})
    return running
  }
}
