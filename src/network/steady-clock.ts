import { uptime } from 'node:os'
import type { Clock } from '../world.ts'
import { after } from './timers.ts'

/** A machine's time of day and its two counters, in milliseconds: one stops during sleep, one continues. */
export interface MachineTime {
  wall(): number
  awake(): number
  up(): number
}

export const machineTime: MachineTime = {
  wall: () => Date.now(),
  awake: () => performance.now(),
  up: () => uptime() * 1_000,
}

/** A smaller difference is not a jump, in milliseconds: clocks are corrected by less all the time. */
const smallest = 2_000

/** The result of reading the machine's clock, in milliseconds. */
interface Seen {
  /** How far it was set, forward or back. */
  jumped: number
  /** How long the machine was asleep. */
  slept: number
}

/** The time of day at the start plus the time since, sleep included. Setting the machine's clock changes nothing here. */
export class SteadyClock implements Clock {
  readonly after: Clock['after'] = after
  readonly #machine: MachineTime
  #start: number
  #ahead: number
  #asleep: number

  constructor(machine: MachineTime = machineTime) {
    this.#machine = machine
    const started = machine.wall() - machine.awake()
    // The same to the microsecond, where the machine's clock was not set since the process began.
    const exact = machine === machineTime && Math.abs(performance.timeOrigin - started) < 2
    this.#start = exact ? performance.timeOrigin : started
    this.#ahead = started
    this.#asleep = machine.up() - machine.awake()
  }

  now = (): number => Math.floor(this.#start + this.#machine.awake())

  /** Reads the machine's clock, and returns its jumps since the last reading. */
  look(): Seen {
    const { wall, awake, up } = this.#machine
    const [ahead, asleep] = [wall() - awake(), up() - awake()]
    const slept = ignoringSmall(asleep - this.#asleep)
    const jumped = ignoringSmall(ahead - this.#ahead - slept)
    // Small differences add up until they are a jump.
    if (jumped !== 0 || slept !== 0) this.#ahead = ahead
    if (slept !== 0) this.#asleep = asleep
    this.#start += Math.max(0, slept)
    return { jumped, slept }
  }
}

const ignoringSmall = (ms: number): number => (Math.abs(ms) < smallest ? 0 : ms)
