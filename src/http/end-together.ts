import type { ServerResponse } from 'node:http'
// Tests of others replace the timers of the global object.
import { setImmediate } from 'node:timers'

/** The most answers that wait for each other, so that none of them waits for long. */
const mostTogether = 32

/** Ends an answer with this text. */
export type End = (res: ServerResponse, text: string) => void

export const endAtOnce: End = (res, text) => {
  res.end(text)
}

/**
 * Ends the answers of one turn of the event loop together. A caller, or the proxy in front, that sleeps between two answers is woken for
 * each of them, which costs more than all the rest of writing it. It is for the provider's own server alone: code of others around a router
 * expects its answer to end in the context of its request.
 */
export class AnswersTogether {
  #waiting: [ServerResponse, string][] = []

  readonly end: End = (res, text) => {
    const count = this.#waiting.push([res, text])
    if (count === 1) setImmediate(() => this.#endAll())
    if (count === mostTogether) this.#endAll()
  }

  #endAll(): void {
    for (const [res, text] of this.#waiting.splice(0)) {
      // An answer that was cut off meanwhile has ended.
      if (!res.writableEnded) res.end(text)
    }
  }
}
