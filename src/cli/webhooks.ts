import type { Payment } from '../payments/payment.ts'
import { counted } from '../printable.ts'
import type { Deliveries, DeliveryCall, StorePort, WebhookState } from '../store.ts'
import type { Moment } from './commands/option-values.ts'
import { print, table, time, when } from './print.ts'
import { expectShop, type Listing, paymentOf, withShop } from './shop-choice.ts'
import { storeTime, withStore } from './store.ts'
import { systemUser } from './system-user.ts'
import { UsageError } from './usage.ts'

const many = 1_000_000

export function list({ shop, since, limit, json }: Listing & { since?: Moment }): Promise<void> {
  return withShop(shop, async (store, now) => {
    const states = await store.webhooks({ shopId: shop, since: since?.(now), limit })
    const found = states.map((one) =>
      one.dueAt === undefined ? one : { ...one, dueAt: Math.max(one.dueAt, now) },
    )
    print(json, found, () =>
      table(found, since === undefined ? 'No webhook is due.' : 'No status has changed since then.', {
        changed: ({ changedAt }) => time(changedAt),
        shop: ({ shopId }) => shopId,
        order: ({ orderId }) => orderId,
        status: ({ status }) => status,
        webhook: callState,
        failed: ({ tries }) => tries,
        next: ({ dueAt }) => when(dueAt),
        to: ({ webhookUrl }) => URL.parse(webhookUrl)?.host,
        'last failure': ({ lastFailure }) => lastFailure,
      }),
    )
  })
}

function callState({ state, confirmed, laneClosed }: WebhookState): string {
  if (state === 'delivered') return confirmed ? 'delivered and read' : 'delivered, not read yet'
  if (state === 'owed') return laneClosed ? 'due, lane closed' : 'due'
  return state === 'dead' ? 'given up' : state
}

export function show(order: string, options: { shop?: string; json?: boolean }): Promise<void> {
  return withStore(async (store) => {
    const payment = await paymentOf(store, order, options.shop)
    const calls = await store.deliveries(payment.shopId, order)
    const { shopId: shop, webhookUrl, statusVersion, deliveredVersion, readVersion, readAt } = payment
    const versions = { webhookUrl, statusVersion, deliveredVersion, readVersion, readAt }
    print(options.json, { shop, order, ...versions, calls }, () => [
      `Order ${order} of shop ${shop}: status version ${statusVersion}; ${versionsOf(payment)}`,
      `  ${webhookUrl}`,
      ...calls.flatMap(callLines),
    ])
  })
}

const versionsOf = ({ deliveredVersion, readVersion }: Payment): string =>
  [
    deliveredVersion === 0 ? 'none delivered' : `delivered version ${deliveredVersion}`,
    readVersion === 0 ? 'the shop read none' : `the shop read version ${readVersion}`,
  ].join('; ')

/** The first delivery of a status version and, if there were more, the last. */
function callLines({ version, calls, first, last }: Deliveries): string[] {
  const line = (call: DeliveryCall, count: string) =>
    `  ${time(call.at)}  version ${version}  ${outcome(call)}  ${call.ms} ms${count}`
  return last ? [line(first, ''), line(last, `  (the last of ${calls} calls)`)] : [line(first, '')]
}

const outcome = ({ status, failure }: DeliveryCall): string => failure ?? `status ${status}`

export interface ReplayOptions {
  shop?: string
  since?: Moment
  dryRun?: boolean
  json?: boolean
}

/** Makes webhooks due now: of one order, of every status since a moment, or every dead letter. */
export async function replay(order: string | undefined, options: ReplayOptions): Promise<void> {
  const { shop, since, dryRun = false, json } = options
  if (order !== undefined && since !== undefined)
    throw new UsageError('Name an order, or --since with a time, and not both.')
  return withStore(async (store) => {
    const chosen =
      order === undefined
        ? await choose(store, shop, since?.(storeTime(store)))
        : [await paymentOf(store, order, shop)]
    if (!dryRun) {
      const by = systemUser()
      for (const { shopId, orderId } of chosen)
        await store.replayWebhook(shopId, orderId, storeTime(store), by)
    }
    const orders = chosen.map(({ shopId, orderId }) => ({ shop: shopId, order: orderId }))
    print(json, { dryRun, replayed: orders }, () => {
      const listed = orders.map((one) => `  shop ${one.shop}, order ${one.order}`)
      const count = counted(orders.length, 'webhook')
      return [dryRun ? `${count} would be sent again:` : `${count} will be sent now:`, ...listed]
    })
  })
}

async function choose(
  store: StorePort,
  shopId: string | undefined,
  since: number | undefined,
): Promise<WebhookState[]> {
  await expectShop(store, shopId)
  const found = await store.webhooks({ shopId, since, limit: many })
  return since === undefined ? found.filter(({ state }) => state === 'dead') : found
}
