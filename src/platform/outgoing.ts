import { Names } from '../network/names/names.ts'
import { guardedOutgoing } from '../network/outgoing.ts'
import type { Outgoing } from '../world.ts'

/** The network of clients without a provider. They share names and connections. */
class ProcessOutgoing {
  readonly #names = new Names({})
  readonly #public = guardedOutgoing({ loopback: false, names: this.#names })
  readonly #loopback = guardedOutgoing({ loopback: true, names: this.#names })

  /** `allowLoopback` allows http and addresses of this machine. */
  of(allowLoopback: boolean): Outgoing {
    return allowLoopback ? this.#loopback : this.#public
  }
}

/** One for the process, because each would have a name thread of its own. */
export const processOutgoing = new ProcessOutgoing()
