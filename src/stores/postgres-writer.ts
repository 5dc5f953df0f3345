import type { RetryReason, StoreTrouble } from '../store.ts'
import { GroupCommit, type Waiting } from './group-commit.ts'
import { commitGroup, findFree } from './postgres-commit.ts'
import { Blocked, isAway, retryReason, unavailable } from './postgres-errors.ts'
import type { Elsewhere } from './postgres-group.ts'
import { LockedRows } from './postgres-locked.ts'
import { type PostgresServer, patience, pause } from './postgres-server.ts'
import { isAlone, writerOf } from './postgres-touches.ts'
import type { Command } from './sql/query.ts'
import { HeldElsewhere } from './sql/side-by-side.ts'
import { Writes } from './writes.ts'

/** The most commands of one commit: a failed one costs the others another try. */
const mostTogether = 50
/** The most separate commands of one commit: each runs by itself, and other shops wait for them. */
const mostApart = 10
/** The most transactions of groups at a time, and the share of the connections that they may take: the others read. */
const mostWriters = 4
const shareOfWriters = 0.4
/** A second writer pays where a flight to the server takes longer, in milliseconds. On a near server a single one shares more commits. */
const nearBy = 0.7

interface WriterOptions {
  /** Connections of this process. */
  connections: number
  /** Writes something small. */
  probe: () => Command<void>
  report: (trouble: StoreTrouble) => void
}

/**
 * Writes in groups that share a commit, several groups at a time where the server is far away. Orders are divided among them. A blocked
 * command leaves its group, which goes on without it.
 */
export class PostgresWriter {
  readonly #server: PostgresServer
  readonly #locked: LockedRows
  readonly #groups: readonly GroupCommit[]
  /** Commands that share their transaction with no other. */
  readonly #alone: GroupCommit
  readonly #writes: Writes
  readonly #report: (trouble: StoreTrouble) => void

  constructor(server: PostgresServer, { connections, probe, report }: WriterOptions) {
    this.#server = server
    this.#report = report
    this.#writes = new Writes(() => this.write(probe))
    this.#locked = new LockedRows({
      free: (steps) => findFree(server, steps),
      goOn: (one) => this.#groupsOf(one).add(one),
      found(things, ofShop) {
        const [, shop, order] = /^order (\S+) (.+)$/.exec(things[0] ?? '') ?? []
        const about = ofShop === undefined ? shop && order && { shop, order } : { shop: ofShop }
        report({ code: 'ROW_LOCKED', ...about })
      },
    })
    const writers = Math.max(1, Math.min(mostWriters, Math.floor(connections * shareOfWriters)))
    this.#groups = Array.from({ length: writers }, () => this.#newGroups(mostTogether))
    this.#alone = this.#newGroups(1)
  }

  write<T>(command: () => Command<T>): Promise<T> {
    return this.#groupsOf({ command }).write(command)
  }

  check(): Promise<void> {
    return this.#writes.check()
  }

  /** Resolves once all writes have ended. */
  async end(): Promise<void> {
    this.#locked.end()
    await Promise.all([...this.#groups, this.#alone].map((groups) => groups.idle()))
  }

  #newGroups(together: number): GroupCommit {
    const elsewhere: Elsewhere = {
      leave: (one, error) => this.#leave(one, error),
      setApart: (one) => this.#groupsOf(one).setApart(one),
      failed: () => this.#writes.failed(),
      isLocked: (step) => this.#locked.has(step),
    }
    return new GroupCommit({
      triesFor: patience,
      // A flight to the server takes long enough for others to come.
      patience: 0,
      mostTogether: together,
      mostApart,
      isApart: (one) => this.#locked.mayBlock(one),
      keeps: (one) => this.#locked.takes(one),
      commit: (group) => commitGroup(this.#server, group, elsewhere),
      failed: () => this.#writes.failed(),
    })
  }

  #groupsOf(one: Pick<Waiting, 'command'>): GroupCommit {
    if (isAlone(one)) return this.#alone
    const writers = this.#server.flight > nearBy ? this.#groups.length : 1
    return this.#groups[writerOf(one, writers)]!
  }

  /** A command that left its group is retried while there is time, or fails. */
  #leave(one: Waiting, error: unknown): void {
    const again = () => this.#groupsOf(one).add(one)
    const reason = reasonOf(error)
    if (error instanceof Blocked) this.#locked.add(one, error.step)
    else if (error instanceof HeldElsewhere && error.here) again()
    else if (reason && hasPatience(one)) {
      this.#report({ code: 'COMMAND_RETRIED', reason })
      one.tries = (one.tries ?? -1) + 1
      void pause(one.tries).then(again)
    } else if (reason || isAway(error)) {
      this.#writes.failed()
      one.reject(unavailable(error))
    } else one.reject(error)
  }
}

/** Its patience begins with its first try: the wait for its turn in a queue is not counted. */
function hasPatience(one: Waiting): boolean {
  if (one.tries === undefined) one.until = Math.max(one.until, performance.now() + patience)
  return performance.now() < one.until
}

/** `undefined` where another try does not help. */
const reasonOf = (error: unknown): RetryReason | undefined =>
  error instanceof HeldElsewhere ? 'held' : retryReason(error)
