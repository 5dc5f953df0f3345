import { randomBytes } from 'node:crypto'
import { uptime } from 'node:os'
import { after, type Clock, type Log, movedTime, type Observer, unobserved, type World } from '../world.ts'
import { guardedOutgoing, type OutgoingOptions } from './outgoing.ts'

/** The longest interval of Node, in milliseconds. */
const forever = 2 ** 31 - 1

/** Keeps the process alive until the promise settles, because the timers above do not. */
export function keepAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, forever)
  return promise.finally(() => clearInterval(timer))
}

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
    node: randomBytes(6).toString('base64url'),
    now: () => clock.now(),
    after: (ms, call) => clock.after(ms, call),
    random: Math.random,
    cpu: cpuOfThread,
    token: (bytes) => randomBytes(bytes).toString('base64url'),
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
