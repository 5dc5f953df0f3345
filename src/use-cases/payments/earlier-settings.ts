import { hasCode } from '../../errors.ts'
import type { Attempt } from '../../payments/payment.ts'
import { OpenedSettings } from '../shops/opened-settings.ts'
import { earlierSettings } from '../shops/shop-settings.ts'
import type { CalledAdapter } from './called-adapter.ts'

/** Another process may start a payment with the settings of a moment ago. In milliseconds. */
const staleFor = 60_000

/**
 * Calls an adapter about an attempt with the settings of now. Where the payment service refuses these with 401, 403 or 404, calls it with those
 * under which the attempt was started: a merchant changed a key or the account since. Where all are refused, the first outcome counts.
 */
export async function withSettingsOf<T>(
  called: CalledAdapter,
  { openedAt }: Attempt,
  call: (called: CalledAdapter) => Promise<T>,
): Promise<T> {
  const outcome = await outcomeOf(called, call)
  if (!isRefused(called)) return outcome()
  for (const again of await calledEarlier(called, openedAt - staleFor)) {
    const other = await outcomeOf(again, call)
    if (!isRefused(again)) return other()
  }
  return outcome()
}

/** By the last answer: what was looked up in vain before it refuses nothing. */
const isRefused = ({ lastStatus }: CalledAdapter) => [401, 403, 404].includes(lastStatus ?? 0)

const outcomeOf = <T>(called: CalledAdapter, call: (called: CalledAdapter) => Promise<T>): Promise<() => T> =>
  call(called).then(
    (value) => () => value,
    (error: unknown) => {
      if (hasCode(error, 'SETTINGS_MISSING')) called.lastStatus = 401
      return () => {
        throw error
      }
    },
  )

/** The same call with earlier settings of the adapter that were in use after `since`, the oldest first. */
export async function calledEarlier(called: CalledAdapter, since: number): Promise<CalledAdapter[]> {
  const { workings, adapter, shopId } = called
  const shop = adapter.settings && (await workings.store.shop(shopId))
  return (shop ? earlierSettings(workings, shop) : [])
    .filter(({ until, adapters }) => until > since && Object.hasOwn(adapters, adapter.name))
    .map(({ adapters }) => called.with(new OpenedSettings(shopId, { adapters })))
}
