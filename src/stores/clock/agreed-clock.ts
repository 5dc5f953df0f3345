import { readFileSync } from 'node:fs'
import { type MachineTime, machineTime } from '../../network/steady-clock.ts'
import { followed } from './agreed-time.ts'

/** How often the agreed time is compared with the server's, and whether this machine slept, in milliseconds. */
const lookEvery = 60_000
const rouseEvery = 5_000
/** A shorter sleep is ignored, in milliseconds. */
const smallest = 2_000
/** A reading that takes longer does not show when the server's clock was read, in milliseconds. */
const exactWithin = 4_000

/** A machine's clocks at one moment, in milliseconds. */
export interface Moment {
  wall: number
  up: number
  /** The time that the process uses; not set before its first reading. */
  own: number | undefined
  /** The counter that stops during sleep. */
  awake: number
}

/** The result of reading the agreed time. */
export interface Agreement {
  at: number
  /** How far the server's clock is ahead. */
  off: number
  releases: number
  /** Its time, by the counter that stops during sleep. */
  awake: number
}

/** The time that the nodes of a store agree on: the last agreed time plus the time since. Setting this machine's clock changes nothing. */
export class AgreedClock {
  /** The id of this boot of this machine; its counters continue from one process to the next. */
  readonly boot: string | undefined
  readonly #machine: MachineTime
  #ahead: number
  #asleep: number
  #agreed: { releases: number; off: number } | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(machine: MachineTime = machineTime, boot = bootId()) {
    this.#machine = machine
    this.boot = boot
    this.#ahead = machine.wall() - machine.awake()
    this.#asleep = this.#sleep()
  }

  now = (): number => Math.floor(this.#ahead + this.#machine.awake())

  /** The clocks halfway between `sent` and now; `undefined` if that took too long for a node that has a time already. */
  momentSince(sent: number, releases: number | undefined): Moment | undefined {
    this.#rouse()
    const { wall, awake, up } = this.#machine
    const back = (awake() - sent) / 2
    if (this.#agreed && back > exactWithin / 2) return undefined
    const goesOn = this.#agreed && (releases === undefined || this.#agreed.releases === releases)
    const own = goesOn ? this.#ahead + awake() - back : undefined
    return { wall: wall() - back, up: up() - back, own, awake: awake() - back }
  }

  /** The counter that `momentSince` takes. */
  readonly awake = (): number => this.#machine.awake()

  /** This machine's clock. */
  readonly wall = (): number => this.#machine.wall()

  /** Uses the agreed time. Returns how many milliseconds the server's clock is ahead, once for each time that it was set. */
  take({ at, off, releases, awake }: Agreement): number | undefined {
    const before = this.#agreed?.off ?? 0
    this.#ahead = at - awake
    this.#agreed = { releases, off }
    return Math.abs(off) > followed && Math.abs(off - before) > followed ? off : undefined
  }

  /** Reads the agreed time once a minute from now on, until `end`. Never keeps the process alive. */
  keep(look: () => Promise<void>): void {
    this.end()
    let looked = this.#machine.awake()
    this.#timer = setInterval(() => {
      this.#rouse()
      if (this.#machine.awake() - looked < lookEvery) return
      looked = this.#machine.awake()
      // An unavailable store is read again a minute later.
      look().catch(() => {})
    }, rouseEvery).unref()
  }

  end(): void {
    clearInterval(this.#timer)
  }

  /** Sleep of the machine counts as time. */
  #rouse(): void {
    const asleep = this.#sleep()
    const slept = asleep - this.#asleep
    if (Math.abs(slept) < smallest) return
    this.#asleep = asleep
    this.#ahead += Math.max(0, slept)
  }

  #sleep(): number {
    return this.#machine.up() - this.#machine.awake()
  }
}

/**
 * The id of this boot of the machine, and where the system has none, of the process that forked this one (`bootVariable`): its workers
 * count by the same counters. On other systems the time between two processes is unknown.
 */
function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return process.env[bootVariable]
  }
}

/** Set by a process that forks workers. */
export const bootVariable = 'PURVEYOR_BOOT_ID'
