import { hashPageToken } from '../payments/page-tokens.ts'
import type { Payment } from '../payments/payment.ts'
import { counted } from '../printable.ts'
import type { StorePort } from '../store.ts'
import { storeTime, withStore } from './store.ts'
import type { Steps } from './terminal/progress.ts'
import { UsageError } from './usage.ts'

/** The options of a command that lists, for one shop or all. */
export interface Listing {
  shop?: string
  limit: number
  json?: boolean
}

/** So many shops are listed to choose from. */
const most = 20

/** The payment of an order in the shop that is named, or in the only one that has such an order. */
export async function paymentOf(
  store: StorePort,
  order: string,
  named: string | undefined,
): Promise<Payment> {
  const shops = await store.shopsOfOrder(order, 1_000)
  if (named === undefined && shops.length > 1)
    throw new UsageError(`Order ${order} is in several shops. Choose one with --shop: ${listOf(shops)}`)
  const shop = named ?? shops[0]
  const payment = shop === undefined ? undefined : await store.payment(shop, order)
  if (payment) return payment
  await expectShop(store, named)
  const where = named === undefined ? '' : ` in shop ${named}`
  const next =
    shops.length > 0
      ? `There is one in ${shops.length === 1 ? `shop ${shops[0]}` : counted(shops.length, 'other shop')}.`
      : `To look for it by another name: purveyor payments find ${order}`
  throw new UsageError(`There is no payment for order ${order}${where}. ${next}`)
}

/** The payment that has this name: its order's id or, if no order has it, its number, reference, attempt, amount or page. */
export async function paymentNamed(
  store: StorePort,
  given: string,
  shop: string | undefined,
): Promise<Payment> {
  const name = given.trim()
  if ((await store.shopsOfOrder(name, 1)).length > 0) return paymentOf(store, name, shop)
  const found = await store.findOrders({ name, pageHash: hashPageToken(name), shopId: shop })
  const orders = new Map(
    found.map(({ shopId, orderId }) => [`${orderId} --shop ${shopId}`, { shopId, orderId }]),
  )
  const [one, other] = orders.values()
  if (one && other)
    throw new UsageError(`${name} names ${orders.size} payments. Choose one: ${listOf([...orders.keys()])}`)
  return (one && (await store.payment(one.shopId, one.orderId))) ?? paymentOf(store, name, shop)
}

/** Ends the command where it names a shop that there is not: an empty list would say that nothing waits. */
export async function expectShop(store: StorePort, named: string | undefined): Promise<void> {
  if (named !== undefined && !(await store.shop(named)))
    throw new UsageError(`There is no shop ${named}. See: purveyor shop list`)
}

/** Opens the store for a command about one shop, or about all. `now` is the time that the processes of the store share. */
export const withShop = (
  named: string | undefined,
  use: (store: StorePort, now: number, steps: Steps) => Promise<void>,
): Promise<void> =>
  withStore(async (store, steps) => {
    await expectShop(store, named)
    await use(store, storeTime(store), steps)
  })

function listOf(shops: readonly string[]): string {
  const more = shops.length > most ? `, and ${shops.length - most} more` : ''
  return `${shops.slice(0, most).join(', ')}${more}`
}
