import { randomFillSync } from 'node:crypto'
import { type Clock, type Log, type Observer, unobserved, type World } from '../world.ts'
import { after, movedTime, SteadyClock } from './clock.ts'
import { guardedOutgoing, type OutgoingOptions } from './outgoing.ts'

/** The clock that the processes of a store share. Without one: the moved time of this process, or this machine's clock. */
export function clockOf({ now }: { now?: () => number }): Clock {
  const shared = now ?? movedTime()
  return shared ? { now: shared, after } : new SteadyClock()
}

/** The real world: this machine's clock, random numbers, timers and network. */
export function systemWorld(
  log: Log,
  outgoing: OutgoingOptions,
  clock: Clock = new SteadyClock(),
  observer: Observer = unobserved,
): World {
  return {
    now: () => clock.now(),
    after: (ms, call) => clock.after(ms, call),
    random: Math.random,
    cpu: cpuOfThread,
    token: tokens(),
    log,
    outgoing: guardedOutgoing({
      ...outgoing,
      refused: (code, { shop, ...about }) => observer.refused(code, { ...(shop && { shop }), ...about }),
      lookedUp: (kind, outcome) => observer.lookedUp(kind, outcome),
    }),
    observer,
  }
}

/** One reading takes half a microsecond, and several between other work. */
function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Random bytes are read a page at a time: each system call costs as much as a whole page. */
function tokens(): World['token'] {
  const pool = Buffer.alloc(4096)
  let used = pool.length
  return (bytes) => {
    if (used + bytes > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const token = pool.toString('base64url', used, used + bytes)
    // Used bytes are erased.
    pool.fill(0, used, used + bytes)
    used += bytes
    return token
  }
}
