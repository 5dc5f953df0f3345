import { askEvery } from '../../payments/ask-pace.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Asked } from '../memory.ts'
import type { Workings } from '../workings.ts'
import { askAtMost } from './read-status.ts'

/**
 * Asks the payment service how an attempt stands, and stores the answer, for a customer who comes back to its page: what is decided about
 * another payment needs a fresh answer. One who comes too soon after the last question waits for the next one, which all share who wait.
 */
export async function askForPage(workings: Workings, attempt: Attempt): Promise<Asked> {
  const { memory, world } = workings
  const before = memory.asks.get(attempt.id)
  for (;;) {
    const asked = askAtMost(workings, attempt)
    if (asked) return asked
    const last = memory.asks.get(attempt.id)!
    if (last !== before) return last.answer
    const left = Math.min(last.began + askEvery - world.now(), askEvery)
    await new Promise<void>((resolve) => void world.after(left, resolve))
  }
}
