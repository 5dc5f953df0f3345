import { Names } from '../network/names/names.ts'
import { guardedOutgoing } from '../network/outgoing.ts'
import type { Outgoing } from '../world.ts'

/** The way out of everything here that has no provider: names are looked up together, and connections are shared. */
class ProcessOutgoing {
  readonly #names = new Names({})
  readonly #public = guardedOutgoing({ loopback: false, names: this.#names })
  readonly #loopback = guardedOutgoing({ loopback: true, names: this.#names })

  /** `allowLoopback` opens http and addresses of this machine. */
  of(allowLoopback: boolean): Outgoing {
    return allowLoopback ? this.#loopback : this.#public
  }
}

/** One for the process: each would have a thread for names of its own. */
export const processOutgoing = new ProcessOutgoing()
