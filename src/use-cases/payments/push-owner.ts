import { Problem } from '../../contract/index.ts'
import type { PaymentPush, PushOwner } from '../../payments/adapter.ts'
import { hashToken } from '../../shops/tokens.ts'
import { StoreUnavailable } from '../../store.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { findAttempt } from './learn-payment.ts'
import { refOf, textOf } from './push-context.ts'

type Named = Exclude<PushOwner, { ignored: string }>

/** Whether the token is that of the address that all shops of the adapter share. */
export const isSharedAddress = (
  { pages }: Workings,
  { name, push }: AnyPaymentAdapter,
  tokenHash: string,
): boolean => push?.owner !== undefined && tokenHash === hashToken(pages.ofPushes(name))

/**
 * The shop of a push at the shared address, by the push's own word: it is not verified yet. `undefined` for one that is nobody's here. Rejects
 * with `PUSH_WITHOUT_SHOP` where no shop is found: the payment service sends it again.
 */
export async function ownerOf(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<string | undefined> {
  const { world } = workings
  const { name, push: reader } = adapter
  const owner = reader!.owner!
  let err: unknown
  try {
    const named = owner(push)
    if ('ignored' in named) {
      world.observer.pushed(name, 'ignored')
      return undefined
    }
    const shopId = await shopOf(workings, name, named)
    if (shopId !== undefined) return shopId
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    err = error
  }
  world.observer.pushed(name, 'refused')
  world.log.warn(
    { code: 'PUSH_WITHOUT_SHOP', adapter: name, err },
    'a push at the shared address belongs to no shop',
  )
  throw new Problem('PUSH_WITHOUT_SHOP')
}

async function shopOf(workings: Workings, adapter: string, named: Named): Promise<string | undefined> {
  if ('shop' in named) return (await workings.store.shop(textOf(named.shop)))?.id
  return (await findAttempt(workings, refOf(adapter, named)))?.shopId
}
