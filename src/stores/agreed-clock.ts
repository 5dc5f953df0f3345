import { readFileSync } from 'node:fs'
import { type MachineTime, machineTime } from '../network/steady-clock.ts'
import { followed } from './agreed-time.ts'

/** How often the agreed time is compared with the server's, and whether this machine slept, in milliseconds. */
const lookEvery = 60_000
const rouseEvery = 5_000
/** A sleep below this is none, in milliseconds. */
const smallest = 2_000
/** A look that takes longer says too little about the moment in which the server's clock was read, in milliseconds. */
const exactWithin = 4_000

/** What a machine's clocks say at one moment, in milliseconds. */
export interface Moment {
  wall: number
  up: number
  /** What the process goes by; not set before its first look. */
  own: number | undefined
  /** Of the counter that stands still in sleep. */
  awake: number
}

/** What a look at the store has come to. */
export interface Agreement {
  at: number
  /** By how much the server's clock is ahead. */
  off: number
  releases: number
  /** When it was so, of the counter that stands still in sleep. */
  awake: number
}

/**
 * The time that the nodes on a store agree on: as it was agreed last, and what has gone by here since. The clock of this machine is not
 * asked in between, so that it may be set.
 */
export class AgreedClock {
  /** Which boot of which machine this is; the counters of a boot go on from one process to the next. */
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

  /** What the clocks said halfway between `sent` and now; `undefined` where that is too long for a node that has a time already. */
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

  /** Goes by what was agreed. Returns by how many milliseconds the server's clock is ahead, once for each time that it was set. */
  take({ at, off, releases, awake }: Agreement): number | undefined {
    const before = this.#agreed?.off ?? 0
    this.#ahead = at - awake
    this.#agreed = { releases, off }
    return Math.abs(off) > followed && Math.abs(off - before) > followed ? off : undefined
  }

  /** Looks at once a minute from now on, until `end`. Never keeps the process alive. */
  keep(look: () => Promise<void>): void {
    this.end()
    let looked = this.#machine.awake()
    this.#timer = setInterval(() => {
      this.#rouse()
      if (this.#machine.awake() - looked < lookEvery) return
      looked = this.#machine.awake()
      // A store that is away is looked at again a minute later.
      look().catch(() => {})
    }, rouseEvery).unref()
  }

  end(): void {
    clearInterval(this.#timer)
  }

  /** Time that the machine was asleep has gone by. */
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
 * The id of this boot of the machine, and where the system has none, of the process that forked this one (`bootVariable`): its workers count by the
 * same counters. Elsewhere nothing witnesses what went by between two processes.
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
