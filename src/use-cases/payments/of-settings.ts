import { wrongAnswer } from '../../errors.ts'
import { type Decimal, decimal, readDecimal } from '../../money/index.ts'
import type { PaymentMode } from '../../payments/report.ts'
import { isTolerable } from '../../payments/totals.ts'
import type { Shop } from '../../shops/shop.ts'
import { settingsOf } from '../shops/shop-settings.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { startFailed } from './call-start.ts'

// Members of an adapter that may be functions of a shop's settings.

/** Whether a payment of a shop through an adapter moves real money. Without an answer of the adapter no payment starts. */
export function attemptMode(workings: Workings, shop: Shop, adapter: AnyPaymentAdapter): PaymentMode {
  const { mode, developmentOnly } = adapter
  if (typeof mode !== 'function') return mode ?? (workings.development || developmentOnly ? 'test' : 'live')
  const isMode = (answer: unknown) => answer === 'test' || answer === 'live'
  return ofSettings(
    workings,
    shop,
    adapter,
    mode,
    isMode,
    'mode() of payment adapter "NAME" returns "test" or "live"',
  )
}

/** How much less still pays an order of this amount. One of more than half of it counts as none. */
export function toleranceOf(
  workings: Workings,
  shop: Shop,
  adapter: AnyPaymentAdapter,
  amount: Decimal,
): Decimal | undefined {
  const { underpaidBy, name } = adapter
  const expected =
    'underpaidBy() of payment adapter "NAME" returns an amount of 0 or more as text, such as "0.50"'
  const less: Decimal | undefined =
    typeof underpaidBy === 'function'
      ? ofSettings(workings, shop, adapter, underpaidBy, isTolerance, expected)
      : underpaidBy
  const about = { shop: shop.id, adapter: name, underpaidBy: less, amount }
  if (less !== undefined && !isTolerable(less, amount))
    workings.world.log.debug(about, 'underpaidBy is more than half of the order and lets nothing pass')
  return less
}

export const isTolerance = (value: unknown): value is Decimal =>
  typeof value === 'string' && readDecimal(value) !== undefined && decimal(value).gte(0)

function ofSettings<T>(
  workings: Workings,
  shop: Shop,
  adapter: AnyPaymentAdapter,
  read: (settings: unknown) => unknown,
  isRight: (answer: unknown) => boolean,
  expected: string,
): T {
  try {
    const answer = read(settingsOf(workings, shop).of(adapter))
    if (isRight(answer)) return answer as T
    throw wrongAnswer(expected.replace('NAME', adapter.name))
  } catch (cause) {
    throw startFailed(workings, { shop: shop.id, adapter: adapter.name }, cause)
  }
}
