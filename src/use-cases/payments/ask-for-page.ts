import type { Attempt } from '../../payments/payment.ts'
import type { AskedStanding } from '../memory.ts'
import type { Workings } from '../workings.ts'
import { learnOf } from './learn-payment.ts'
import { askStatus, canBeAsked } from './read-status.ts'

/**
 * Asks the payment service how an attempt stands, for a customer who waits in front of its page, and stores the answer. Several tabs ask
 * once.
 */
export function askForPage(workings: Workings, attempt: Attempt): Promise<AskedStanding> {
  const { pageAsks } = workings.memory
  const open = pageAsks.get(attempt.id)
  if (open) return open
  const asking = ask(workings, attempt).finally(() => pageAsks.delete(attempt.id))
  pageAsks.set(attempt.id, asking)
  return asking
}

async function ask(workings: Workings, attempt: Attempt): Promise<AskedStanding> {
  const { memory, world } = workings
  const account = { adapter: attempt.adapter, shop: attempt.shopId }
  if (!canBeAsked(workings, attempt) || memory.askPauses.left(account, world.now()) > 0) return 'unknown'
  const said = await askStatus(workings, attempt, 'caller').catch((error: unknown) => {
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
