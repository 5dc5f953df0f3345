import { uptime } from 'node:os'
import type { Clock } from '../world.ts'

/** Calls back after `ms`. The returned function cancels it. Never keeps the process alive. */
export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}

/** The longest interval of Node, in milliseconds. */
const forever = 2 ** 31 - 1

/** Keeps the process alive until the promise settles, because the timers above do not. */
export function keepAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, forever)
  return promise.finally(() => clearInterval(timer))
}

/** Waits for the work, at most until the signal. The work itself continues. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

const name = Symbol.for('purveyor.time')

/** Sets the time for a provider in this process. Used by programs that move the time of a whole process, such as `purveyor dev`. */
export const moveTime = (now: () => number): boolean => Reflect.set(globalThis, name, now)

/** The time in a process whose time is moved; `undefined` in every other. */
export const movedTime = (): (() => number) | undefined =>
  Reflect.get(globalThis, name) as (() => number) | undefined

/** A machine's time of day and its two counters, in milliseconds: one stops during sleep, one continues. */
export interface MachineTime {
  wall(): number
  awake(): number
  up(): number
}

const machineTime: MachineTime = {
  wall: () => Date.now(),
  awake: () => performance.now(),
  up: () => uptime() * 1_000,
}

/** How often it is looked whether the machine slept, and a sleep too short to count: the counter goes in steps. In milliseconds. */
const lookEvery = 5_000
const smallest = 2_000

/** The time of day at the start plus the time since, sleep included. Setting the machine's clock changes nothing here. */
export class SteadyClock implements Clock {
  readonly after: Clock['after'] = after
  readonly #machine: MachineTime
  #start: number
  #asleep: number
  #looked: number

  constructor(machine: MachineTime = machineTime) {
    const awake = machine.awake()
    this.#machine = machine
    this.#looked = awake
    this.#start = machine.wall() - awake
    this.#asleep = machine.up() - awake
  }

  now = (): number => {
    const awake = this.#machine.awake()
    if (awake - this.#looked >= lookEvery) this.#rouse(awake)
    return Math.floor(this.#start + awake)
  }

  /** Goes on from the time of another clock, which was read between `sent`, in milliseconds of `performance.now()`, and now. */
  set(time: number, sent: number): void {
    this.#start = time - (sent + this.#machine.awake()) / 2
  }

  #rouse(awake: number): void {
    this.#looked = awake
    const slept = this.#machine.up() - awake - this.#asleep
    if (slept < smallest) return
    this.#asleep += slept
    this.#start += slept
  }
}
