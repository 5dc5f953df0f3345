import { existsSync } from 'node:fs'
import type { Payment } from '../../payments/ledger/payment.ts'
import { counted } from '../../printable.ts'
import type { ContentSeal, Seal } from '../../shops/seal.ts'
import type { StorePort } from '../../store-port.ts'
import { movedTime } from '../../world.ts'
import { type Steps, withProgress } from '../terminal/progress.ts'
import { loadEnvFile } from '../terminal/read-input.ts'
import { EnvironmentProblem, UsageError } from '../terminal/usage.ts'

export async function databaseUrl(): Promise<string> {
  const { readStoreConfiguration } = await import('../../provider/configuration.ts')
  loadEnvFile()
  return readStoreConfiguration(process.env).databaseUrl
}

/** Opens the store for one command, about a shop or about all. `now` is the time that the processes of the store share. */
export const withStore = <T>(
  use: (store: StorePort, now: number, steps: Steps) => Promise<T>,
  { shop, what = 'Working' }: { shop?: string | undefined; what?: string } = {},
): Promise<T> =>
  withProgress(what, (steps) =>
    openedStore(async (store) => {
      await expectShop(store, shop)
      return use(store, storeTime(store), steps)
    }),
  )

/** Opens the store, also beside a running provider. Never creates a file. For a command that goes on, or whose output is its progress. */
export async function openedStore<T>(use: (store: StorePort) => Promise<T>): Promise<T> {
  const { sqliteFileOf, storeOf } = await import('../../stores/open.ts')
  const url = await databaseUrl()
  const file = sqliteFileOf(url)
  if (file !== undefined && !existsSync(file))
    throw new EnvironmentProblem(
      `There is no store at ${file}. Run this where the provider runs, or set PURVEYOR_DATABASE_URL.`,
    )
  const store = storeOf(url)
  await store.open()
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Opens what is sealed in the store with the secret of the environment. Rejects with a `StoreUnavailable` where that is another one. */
export async function contentsOf(store: StorePort): Promise<ContentSeal> {
  const { ContentSeal, pageKeyRow } = await import('../../shops/seal.ts')
  const sealed = await store.key(pageKeyRow.key)
  return new ContentSeal(sealed && (await sealOfEnvironment()).open(sealed, pageKeyRow))
}

export async function sealOfEnvironment(): Promise<Seal> {
  const { developmentSecret } = await import('../../shops/seal.ts')
  const { seal } = await import('../../stores/seal.ts')
  const { PURVEYOR_SECRET, PURVEYOR_PREVIOUS_SECRET } = process.env
  return seal(PURVEYOR_SECRET || developmentSecret, ...[PURVEYOR_PREVIOUS_SECRET || []].flat())
}

/** The time that the processes of a store share: the database server's if there is one, otherwise this machine's. */
export const storeTime = ({ now }: StorePort): number => (now ?? movedTime() ?? Date.now)()

/** The shops that have a payment for an order of this id, a hundred at most. */
async function shopsOf(store: StorePort, order: string): Promise<string[]> {
  const found = await store.findOrders({ name: order, pageHash: '' })
  return [...new Set(found.flatMap(({ by, shopId }) => (by === 'order' ? shopId : [])))].sort()
}

/** The payment of an order in the shop that is named, or in the only one that has such an order. */
export async function paymentOf(store: StorePort, order: string, named?: string): Promise<Payment> {
  const shops = await shopsOf(store, order)
  if (named === undefined && shops.length > 1)
    throw new UsageError(`Order ${order} is in several shops. Choose one with --shop: ${firstOf(shops)}`)
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
export async function paymentNamed(store: StorePort, given: string, shop?: string): Promise<Payment> {
  const { hashPageToken } = await import('../../payments/addresses.ts')
  const name = given.trim()
  if ((await shopsOf(store, name)).length > 0) return paymentOf(store, name, shop)
  const found = await store.findOrders({ name, pageHash: hashPageToken(name), shopId: shop })
  const orders = new Map(found.map((one) => [`${one.orderId} --shop ${one.shopId}`, one]))
  const [one, other] = orders.values()
  if (one && other)
    throw new UsageError(`${name} names ${orders.size} payments. Choose one: ${firstOf([...orders.keys()])}`)
  return (one && (await store.payment(one.shopId, one.orderId))) ?? paymentOf(store, name, shop)
}

/** Ends the command where it names a shop that there is not: an empty list would say that nothing waits. */
export async function expectShop(store: StorePort, named: string | undefined): Promise<void> {
  if (named !== undefined && !(await store.shop(named)))
    throw new UsageError(`There is no shop ${named}. See: purveyor shop list`)
}

/** The first of some words, and how many more there are. */
export const firstOf = (words: readonly string[], most = 20, between = ', '): string =>
  words.slice(0, most).join(between) + (words.length > most ? `, and ${words.length - most} more` : '')
