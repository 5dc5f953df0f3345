import type { Clock, OutgoingCaller, World } from '../world.ts'

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
