import { askEvery } from '../../payments/ask-pace.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Asked } from '../memory.ts'
import type { Workings } from '../workings.ts'
import { askAtMost } from './read-status.ts'

/**
 * Asks the payment service how an attempt stands, and stores the answer, for a customer who comes back to its page: what is decided about
 * another payment needs a fresh answer. One who comes too soon after the last question waits for the next one, as do all others of the
 * attempt.
 */
export async function askForPage(workings: Workings, attempt: Attempt): Promise<Asked> {
  const asked = askAtMost(workings, attempt)
  if (asked) return asked
  const { memory, world } = workings
  const { waitingAsks } = memory
  const waiting =
    waitingAsks.get(attempt.id) ??
    new Promise<void>((resolve) => {
      const left = memory.asks.get(attempt.id)!.began + askEvery - world.now()
      world.after(Math.min(left, askEvery), resolve)
    }).then(() => {
      waitingAsks.delete(attempt.id)
      return askForPage(workings, attempt)
    })
  waitingAsks.set(attempt.id, waiting)
  return waiting
}
