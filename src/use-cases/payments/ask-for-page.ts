import type { Attempt } from '../../payments/payment.ts'
import type { Workings } from '../workings.ts'
import { learnOf } from './learn-payment.ts'
import { askStatus, canBeAsked } from './read-status.ts'

/** `open`: the customer has not finished. `further`: the service works on the payment, or it has ended. `unknown`: no answer. */
export type Standing = 'open' | 'further' | 'unknown'

/** Asks the payment service how an attempt stands, for a customer who waits in front of its page, and stores the answer. */
export async function askForPage(workings: Workings, attempt: Attempt): Promise<Standing> {
  const { memory, world } = workings
  const account = { adapter: attempt.adapter, shop: attempt.shopId }
  if (!canBeAsked(workings, attempt) || memory.askPauses.left(account, world.now()) > 0) return 'unknown'
  const said = await askStatus(workings, attempt).catch((error: unknown) => {
    world.log.warn(
      { ...account, order: attempt.orderId, err: error },
      'the payment service did not answer with a status',
    )
    return undefined
  })
  if (!said) return 'unknown'
  await learnOf(workings, attempt, said, 'status')
  return said.every(({ word }) => word === 'open') ? 'open' : 'further'
}
