import { isPromise, type MaybePromise } from '../world.ts'
import type { Deadline } from './deadline.ts'
import type { Workings } from './workings.ts'

/** How long an adapter may block the event loop without a log line, in milliseconds. It is to blame for CPU time of its own. */
const blocksAfter = 50

interface CallOptions {
  adapter: { name: string }
  /** The member that is called, such as `start`. */
  call: string
  /** Not set for a call that is for no shop, such as `prepare`. */
  shop?: string | undefined
  deadline: Deadline
}

/**
 * Calls a member of an adapter: with a span, metrics, the deadline, and a log line if it blocks the event loop. A synchronous answer is
 * returned without a timer and a promise; a synchronous error is thrown.
 */
export function callAdapter<T>(
  workings: Workings,
  { adapter: { name: adapter }, call, shop, deadline }: CallOptions,
  into: () => MaybePromise<T>,
): MaybePromise<T> {
  return workings.world.observer.adapterCall({ adapter, call, shop }, () => {
    const answer = timed(workings, adapter, into)
    return isPromise(answer) ? deadline.wait(answer) : answer
  })
}

function timed<T>({ world, memory }: Workings, adapter: string, into: () => T): T {
  const started = world.now()
  const used = memory.cpuBefore.at(started)
  try {
    return into()
  } finally {
    const ms = world.now() - started
    if (ms >= blocksAfter) {
      const cpuMs = used === undefined ? undefined : Math.round(world.cpu!() - used)
      if (cpuMs === undefined || cpuMs >= blocksAfter) {
        memory.blocking.set(adapter, world.now())
        world.log.warn({ adapter, ms, cpuMs }, 'an adapter blocked the event loop')
      } else {
        // On a busy machine the thread waits for the CPU, and no code is to blame.
        world.log.warn(
          { adapter, ms, cpuMs },
          'the event loop stood still during a call of an adapter, with little CPU: the machine is busy, or the adapter waits for a file or a program',
        )
      }
    }
  }
}
