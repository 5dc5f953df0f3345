import { uptime } from 'node:os'
import type { World } from '../world.ts'
import { after } from './timers.ts'

/** What time it is, and who is called back when. */
export type Clock = Pick<World, 'now' | 'after'>

/** A machine's time of day and its two counters, in milliseconds: one that stands still while it sleeps, one that goes on. */
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

/** A difference below this is no jump, in milliseconds: clocks are set right by less all the time. */
const smallest = 2_000

/** What a look at the machine's clock has shown, in milliseconds. */
interface Seen {
  /** By how much it was set, forward or back. */
  jumped: number
  /** How long the machine was asleep. */
  slept: number
}

/**
 * The time of day at the start, and what has gone by since. A machine's clock that is set meanwhile changes nothing, so that nothing
 * expires and no lease ends because of it; time that the machine was asleep has gone by.
 */
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

  /** Looks at the machine's clock, and returns what became of it since the last look. */
  look(): Seen {
    const { wall, awake, up } = this.#machine
    const [ahead, asleep] = [wall() - awake(), up() - awake()]
    const slept = ignoringSmall(asleep - this.#asleep)
    const jumped = ignoringSmall(ahead - this.#ahead - slept)
    // What is small adds up until it is none.
    if (jumped !== 0 || slept !== 0) this.#ahead = ahead
    if (slept !== 0) this.#asleep = asleep
    this.#start += Math.max(0, slept)
    return { jumped, slept }
  }
}

const ignoringSmall = (ms: number): number => (Math.abs(ms) < smallest ? 0 : ms)
