import { counted } from '../printable.ts'
import { hashToken } from '../shops/tokens.ts'
import type { PushRecord, PushState } from '../store.ts'
import { type ServiceOutage, serviceOutages } from '../use-cases/payments/failing-services.ts'
import { type Listing, withShop } from './shop-choice.ts'
import { print, table, time, when } from './terminal/print.ts'
import { UsageError } from './usage.ts'

/** So much of a key stands in a list: enough to name one push. */
export const shortKey = (key: string): string => key.slice(0, 12)
/** In milliseconds. */
const day = 24 * 3_600_000
const keyLength = hashToken('').length

interface PushListing extends Listing {
  outcome?: PushState
  adapter?: string
}

export function list({ outcome, adapter, shop, limit, json }: PushListing): Promise<void> {
  return withShop(shop, async (store, now) => {
    const found = await store.pushes({ outcome, adapter, shopId: shop, limit })
    const of = { kind: 'push', shopId: shop, adapter, now } as const
    const refused = await serviceOutages(store, { ...of, since: now - day })
    const none = outcome === undefined ? 'No pushes came in the last 30 days.' : `No pushes are ${outcome}.`
    print(
      json,
      found.map((push) => shown(push, now)),
      () => [
        ...table(found, none, {
          push: ({ key }) => shortKey(key),
          received: ({ receivedAt }) => time(receivedAt),
          shop: ({ shopId }) => shopId,
          adapter: (push) => push.adapter,
          outcome: (push) => push.outcome,
          names: ({ names }) => names.join(', '),
          'next try': ({ dueAt }) => (dueAt === undefined ? '' : time(Math.max(dueAt, now))),
          detail: ({ detail }) => detail,
        }),
        ...(outcome === undefined ? refusedLine(refused) : []),
      ],
    )
  })
}

/** Refused pushes are counted, and not listed one by one. */
function refusedLine(outages: readonly ServiceOutage[]): string[] {
  const calls = outages.reduce((sum, one) => sum + one.calls, 0)
  if (calls === 0) return []
  return ['', `${counted(calls, 'call')} within a day could not be verified: purveyor pushes refused`]
}

/** Lists the pushes that could not be verified, by shop and adapter, the last first. */
export function refused({ adapter, shop, limit, json }: Omit<PushListing, 'outcome'>): Promise<void> {
  return withShop(shop, async (store, now) => {
    const outages = await serviceOutages(store, { kind: 'push', shopId: shop, adapter, since: 0, now })
    const found = outages
      .flatMap(({ shops }) => shops)
      .toSorted((one, other) => other.lastAt - one.lastAt)
      .slice(0, limit)
    const rows = found.map(({ kind: _, shopId, okAt: acceptedAt, failure: reason, ...one }) => ({
      ...{ shop: shopId, ...one, acceptedAt, reason },
    }))
    print(json, rows, () => [
      ...table(rows, 'No push was refused within 30 days.', {
        shop: (one) => one.shop,
        adapter: (one) => one.adapter,
        refused: ({ calls }) => calls,
        first: ({ firstAt }) => time(firstAt),
        last: ({ lastAt }) => time(lastAt),
        'accepted since': ({ acceptedAt }) => when(acceptedAt),
        reason: ({ reason }) => reason,
      }),
      ...(rows.length > 0 ? ['', 'What to do: purveyor explain PUSH_NOT_VERIFIED'] : []),
    ])
  })
}

const shown = ({ shopId: shop, key: push, dueAt, ...record }: PushRecord, now: number) => ({
  push,
  shop,
  ...record,
  dueAt: dueAt === undefined ? undefined : Math.max(dueAt, now),
})

export function show(push: string, { shop, json }: { shop?: string; json?: boolean }): Promise<void> {
  if (push.length < 8 || push.length > keyLength)
    throw new UsageError('A push is named by 8 characters of its id or more. See: purveyor pushes list')
  return withShop(shop, async (store, now) => {
    const found = await store.pushes({ key: push, shopId: shop, limit: 2 })
    const [one, other] = found
    if (!one) throw new UsageError(`There is no push ${push}. It is forgotten after 30 days.`)
    if (other)
      throw new UsageError(
        one.key === other.key
          ? `Push ${push} came to several shops or adapters. Choose one with --shop: ${one.shopId}, ${other.shopId}`
          : `Several pushes begin with ${push}. Name more of it.`,
      )
    print(json, shown(one, now), () => [
      `Push ${shortKey(one.key)} of shop ${one.shopId} through ${one.adapter}: ${one.outcome}`,
      `  received  ${time(one.receivedAt)}${one.times > 1 ? `, ${one.times} times` : ''}`,
      ...(one.processedAt === undefined ? [] : [`  ended     ${time(one.processedAt)}`]),
      ...(one.tries > 0 ? [`  failed    ${counted(one.tries, 'try', 'tries')}`] : []),
      ...(one.dueAt === undefined ? [] : [`  next try  ${time(Math.max(one.dueAt, now))}`]),
      ...(one.detail === undefined ? [] : [`  detail    ${one.detail}`]),
      ...one.names.map((name) => `  names     ${name}`),
      ...nextOf(one),
    ])
  })
}

/** The next step of the person on call. */
function nextOf({ outcome, shopId, adapter }: PushRecord): string[] {
  if (outcome === 'unmatched') return ['', 'What to do: purveyor explain PUSH_UNMATCHED']
  if (outcome === 'failed')
    return ['', `Why it fails: purveyor lanes show push ${shopId} ${adapter}, and the log`]
  if (outcome === 'given_up') return ['', 'What to do: purveyor explain PUSH_GIVEN_UP']
  return []
}
