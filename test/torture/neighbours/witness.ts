import { fork } from 'node:child_process'

/** A time in which the machine ran nobody, in milliseconds since 1970. */
export interface Stall {
  from: number
  to: number
}

/** In milliseconds. A process with nothing to do is woken this much too late only where the machine itself stands still. */
const leastStall = 500
const every = 50

/**
 * Watches for stalls of the machine from a process of its own: a shared machine stops all its processes for seconds now and then, and no
 * provider can answer meanwhile. A provider that holds up itself does not stop the witness.
 */
export class Witness {
  readonly stalls: Stall[] = []
  readonly #process = fork(new URL(import.meta.url), ['witness'], { stdio: 'inherit' })

  constructor() {
    this.#process.on('message', (stall: Stall) => this.stalls.push(stall))
  }

  end(): void {
    this.#process.kill()
  }
}

if (process.argv[2] === 'witness') {
  let last = Date.now()
  setInterval(() => {
    const now = Date.now()
    if (now - last > every + leastStall) process.send?.({ from: last, to: now })
    last = now
  }, every)
  process.on('disconnect', () => process.exit())
}
