import { type MachineTime, machineTime } from '../network/steady-clock.ts'

/** A difference up to this is followed at once, in milliseconds: it moves no expiry by more, and leases are renewed sooner. */
const followed = 60_000
/** By so much a look at the server follows its clock after a jump, in milliseconds: 3 s of each minute. */
const step = 3_000

/**
 * The database server's time: as it was read last, and what has gone by here since. The clock of this machine is not asked, so that it
 * may be set. A server whose clock is set by more than a minute is followed at a twentieth of the time's pace: nothing expires at once, and
 * nodes that start later agree in the end.
 */
export class ServerClock {
  readonly #machine: MachineTime
  #ahead: number
  #asleep: number
  #read = false
  #jumped = false

  constructor(machine: MachineTime = machineTime) {
    this.#machine = machine
    this.#ahead = machine.wall() - machine.awake()
    this.#asleep = this.#sleep()
  }

  now = (): number => Math.floor(this.#ahead + this.#machine.awake())

  /**
   * Takes what the server has answered to a question that was sent at `sent`, of the counter that stands still in sleep. Returns by how
   * many milliseconds the server's clock has jumped, once for each jump.
   */
  take(serverTime: number, sent: number): number | undefined {
    const asleep = this.#sleep()
    const slept = asleep - this.#asleep
    this.#asleep = asleep
    const moved = serverTime - (sent + this.#machine.awake()) / 2 - this.#ahead
    if (!this.#read || Math.abs(moved - slept) <= followed) {
      this.#read = true
      this.#jumped = false
      this.#ahead += moved
      return undefined
    }
    this.#ahead += Math.sign(moved) * step
    const isNew = !this.#jumped
    this.#jumped = true
    return isNew ? moved : undefined
  }

  #sleep(): number {
    return this.#machine.up() - this.#machine.awake()
  }
}
