import { type Clock, isPromise, type MaybePromise, type OutgoingCaller, type World } from '../world.ts'

/** Thrown when a call into an adapter takes too long. The call itself may continue. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(ms: number) {
    super(`no answer within ${ms} ms`)
  }
}

/** One deadline for all work on one answer. The signal is created at its first use. */
export class Deadline {
  readonly #world: Pick<Clock, 'after'>
  readonly #ms: number
  #controller: AbortController | undefined
  #over = false

  constructor(world: Pick<Clock, 'after'>, ms: number) {
    this.#world = world
    this.#ms = ms
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#over) this.#controller.abort(new DeadlinePassed(this.#ms))
    return this.#controller.signal
  }

  /** Waits for the promise, at most until the deadline; then aborts the signal and rejects with `DeadlinePassed`. */
  wait<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const cancel = this.#world.after(this.#ms, () => {
        this.#over = true
        const error = new DeadlinePassed(this.#ms)
        this.#controller?.abort(error)
        reject(error)
      })
      Promise.resolve(promise).then(resolve, reject).finally(cancel)
    })
  }
}

/** The `fetch` that an adapter gets: guarded, and aborted with the deadline. */
export function deadlineFetch(world: World, deadline: Deadline, caller: OutgoingCaller): typeof fetch {
  return (input, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal
    return world.outgoing.fetch(input, { ...init, signal }, caller)
  }
}

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
  world: World,
  { adapter: { name: adapter }, call, shop, deadline }: CallOptions,
  into: () => MaybePromise<T>,
): MaybePromise<T> {
  const observed = world.observer.adapterCall({ adapter, call, shop })
  const failed = (error: unknown) => observed.ended({ error })
  const started = world.now()
  const used = world.cpu?.()
  try {
    const answer = observed.run(into)
    if (!isPromise(answer)) {
      observed.ended()
      return answer
    }
    const waited = deadline.wait(answer)
    waited.then(() => observed.ended(), failed)
    return waited
  } catch (error) {
    failed(error)
    throw error
  } finally {
    const ms = world.now() - started
    if (ms >= blocksAfter) {
      const cpuMs = used === undefined ? undefined : Math.round(world.cpu!() - used)
      if (cpuMs === undefined || cpuMs >= blocksAfter) {
        world.observer.blocked(adapter, world.now())
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
