import type { ServerResponse } from 'node:http'

/** The most answers that wait for each other, so that none of them waits for long. */
const mostTogether = 32

let waiting: [ServerResponse, string][] = []

/**
 * Ends an answer with the others of this turn of the event loop. A caller, or the proxy in front, that sleeps between two answers is woken
 * for each of them, which costs more than all the rest of writing it.
 */
export function endTogether(res: ServerResponse, text: string): void {
  const count = waiting.push([res, text])
  if (count === 1) setImmediate(endAll)
  if (count === mostTogether) endAll()
}

function endAll(): void {
  const ending = waiting
  waiting = []
  for (const [res, text] of ending) {
    try {
      res.end(text)
    } catch (error) {
      // Code around the router may have ended it. The others go on.
      res.destroy(error as Error)
    }
  }
}
