import { blame } from '../../code-place.ts'
import { Problem } from '../../contract/index.ts'
import { wrongAnswer } from '../../errors.ts'
import type { PaymentMode } from '../../payments/report.ts'
import type { Shop } from '../../shops/shop.ts'
import { settingsOf } from '../shops/shop-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'

/** Whether a payment of a shop through an adapter moves real money. Without an answer of the adapter no payment starts. */
export function attemptMode(workings: Workings, shop: Shop, adapter: AnyPaymentAdapter): PaymentMode {
  const { mode, name, developmentOnly } = adapter
  if (typeof mode !== 'function') return mode ?? (workings.development || developmentOnly ? 'test' : 'live')
  try {
    const answer: unknown = mode(settingsOf(workings, shop).of(adapter))
    if (answer === 'test' || answer === 'live') return answer
    throw wrongAnswer(`mode() of payment adapter "${name}" returns "test" or "live"`)
  } catch (cause) {
    const err = blame(cause, name, mode)
    workings.world.log.error({ shop: shop.id, adapter: name, err }, 'payment start failed')
    throw new Problem('PAYMENT_START_FAILED', { cause })
  }
}
