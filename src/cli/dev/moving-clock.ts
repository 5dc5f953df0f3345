import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promised from 'node:timers/promises'
import { promisify } from 'node:util'
import { MovingClock, type Stop } from '../../sandbox/clock.ts'
import { moveTime, orAborted } from '../../world.ts'

// Loaded before a provider that runs under the sandbox (`node --import`). Its Date, setTimeout and setInterval use a clock that the sandbox
// moves forward. So an hour of expiry and a day of retries take no time. The provider's own code moves with it.

const clock = new MovingClock(Number(process.env.PURVEYOR_CLOCK_OFFSET ?? 0))
const real = { clearTimeout: globalThis.clearTimeout, clearInterval: globalThis.clearInterval }

moveTime(() => clock.now())

const RealDate = Date
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [clock.now()] : args, newTarget) as object,
  apply: () => new RealDate(clock.now()).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => clock.now() : (Reflect.get(target, name, receiver) as unknown),
})

/** A longer wait than this runs at once, as with Node's timers. */
const longest = 2 ** 31 - 1

class MovedTimer {
  readonly #call: () => void
  readonly #ms: number
  readonly #repeats: boolean
  #stop: Stop | undefined
  #keeps = true

  constructor(call: () => void, ms: number, repeats: boolean) {
    const inContext = AsyncLocalStorage.snapshot()
    this.#call = () => inContext(call)
    this.#ms = ms >= 1 && ms <= longest ? Number(ms) : 1
    this.#repeats = repeats
    this.refresh()
  }

  refresh(): this {
    this.#stop?.()
    const run = () => {
      this.#stop = undefined
      if (this.#repeats) this.refresh()
      this.#call()
    }
    this.#stop = clock.after(this.#ms, run, this.#keeps)
    return this
  }

  close(): this {
    this.#stop?.()
    this.#stop = undefined
    return this
  }

  [Symbol.dispose](): void {
    this.close()
  }

  ref(keeps = true): this {
    this.#keeps = keeps
    this.#stop?.keep(keeps)
    return this
  }

  unref(): this {
    return this.ref(false)
  }

  hasRef(): boolean {
    return this.#keeps
  }
}

const timer =
  (repeats: boolean) =>
  (call: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
    new MovedTimer(() => call(...args), ms, repeats)

const clear =
  (otherwise: (handle?: NodeJS.Timeout | string | number) => void) =>
  (handle?: unknown): void => {
    if (handle instanceof MovedTimer) handle.close()
    else otherwise(handle as NodeJS.Timeout)
  }

/** `setTimeout` of `timers/promises`. */
function sleep<T>(ms = 1, value?: T, { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {}) {
  const { promise, resolve } = Promise.withResolvers<T | undefined>()
  const waiting = new MovedTimer(() => resolve(value), ms, false).ref(ref)
  const aborted = (cause: unknown) => {
    waiting.close()
    const error = new Error('The operation was aborted', { cause })
    throw Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
  }
  return orAborted(promise, signal).catch(aborted)
}

const moved = {
  setTimeout: Object.assign(timer(false), { [promisify.custom]: sleep }),
  setInterval: timer(true),
  clearTimeout: clear(real.clearTimeout),
  clearInterval: clear(real.clearInterval),
}
Object.assign(globalThis, moved)
Object.assign(timers, moved)
Object.assign(promised, { setTimeout: sleep })
syncBuiltinESMExports()

process.on('message', (message: { advance?: number }) => {
  if (typeof message?.advance !== 'number') return
  clock.move(message.advance)
  process.send?.({ advanced: message.advance })
})
// This listener alone keeps no provider running. A provider that waits for the end of its parent keeps running, as without this clock.
process.channel?.unref()
process.on('newListener', (name) => {
  if (name === 'disconnect') process.channel?.ref()
})
