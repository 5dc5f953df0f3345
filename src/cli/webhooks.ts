import type { Payment } from '../payments/payment.ts'
import { countUnreadFor, remindAfter } from '../payments/schedule.ts'
import { counted } from '../printable.ts'
import type { Deliveries, DeliveryCall, StorePort, Unread, WebhookState } from '../store.ts'
import type { Moment } from './commands/option-values.ts'
import { standstill } from './nodes/nodes.ts'
import { expectShop, type Listing, paymentNamed, withShop } from './shop-choice.ts'
import { storeTime, withStore } from './store.ts'
import { systemUser } from './system-user.ts'
import { print, table, time, when } from './terminal/print.ts'
import { UsageError } from './usage.ts'
import { webhookWait } from './webhook-waits.ts'

const many = 1_000_000
/** So many entries of the audit trail are read. */
const mostEntries = 10_000

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
        next: nextOf,
        to: ({ webhookUrl }) => URL.parse(webhookUrl)?.host,
        'last failure': ({ lastFailure }) => lastFailure,
      }),
    )
  })
}

/** A closed lane calls one of its orders at a time, so the time is that of the lane. */
const nextOf = ({ dueAt, waitsForLane }: WebhookState): string =>
  waitsForLane && dueAt !== undefined ? `lane probe ${time(dueAt)}` : when(dueAt)

function callState({ state, confirmed, laneClosed }: WebhookState): string {
  if (state === 'delivered') return confirmed ? 'delivered and read' : 'delivered, not read yet'
  if (state === 'owed') return laneClosed ? 'due, lane closed' : 'due'
  return state === 'dead' ? 'given up' : state
}

export function show(name: string, options: { shop?: string; json?: boolean }): Promise<void> {
  return withStore(async (store) => {
    const payment = await paymentNamed(store, name, options.shop)
    const {
      shopId: shop,
      orderId: order,
      webhookUrl,
      statusVersion,
      deliveredVersion,
      readVersion,
      readAt,
    } = payment
    const versions = { webhookUrl, statusVersion, deliveredVersion, readVersion, readAt }
    const deliveries = await store.deliveries(shop, order)
    const [unread] = await store.unread({ shopId: shop, orderId: order, limit: 1 })
    const byHand = await sentByHand(store, shop, order)
    const calls = deliveries.map((one) => ({ ...one, again: againBecause(one, unread, byHand) }))
    const { acceptedAt, remindAt } = unread ?? awaited(payment, deliveries) ?? {}
    const waits = await webhookWait(store, payment, storeTime(store))
    const still = waits ? await standstill(store) : []
    print(options.json, { shop, order, ...versions, acceptedAt, remindAt, waits, calls }, () => [
      `Order ${order} of shop ${shop}: status version ${statusVersion}; ${versionsOf(payment)}`,
      `  ${webhookUrl}`,
      ...calls.flatMap(callLines),
      ...(acceptedAt === undefined ? [] : [`  ${reminderOf(acceptedAt, remindAt, storeTime(store))}`]),
      ...(waits ? [`  ${waits.says}`, `Next: ${waits.next}`] : []),
      ...still,
    ])
  })
}

const versionsOf = ({ deliveredVersion, readVersion }: Payment): string =>
  [
    deliveredVersion === 0 ? 'none delivered' : `delivered version ${deliveredVersion}`,
    readVersion === 0 ? 'the shop read none' : `the shop read version ${readVersion}`,
  ].join('; ')

type Again = 'reminder' | 'reminder or by hand' | 'failure' | 'failure or by hand'

/** Why a status was sent again: the first call failed, or the shop had accepted it and did not read it. */
function againBecause(
  { first, last }: Deliveries,
  unread: Unread | undefined,
  byHand: number[],
): Again | undefined {
  if (!last) return undefined
  const acceptedAt = first.failure === undefined ? first.at : (unread?.acceptedAt ?? Number.POSITIVE_INFINITY)
  const [why, since] =
    last.at > acceptedAt ? (['reminder', acceptedAt] as const) : (['failure', first.at] as const)
  if (why === 'failure' && first.failure === undefined) return undefined
  return byHand.some((at) => at >= since && at <= last.at) ? `${why} or by hand` : why
}

/** When persons sent the webhook of an order again. */
async function sentByHand(store: StorePort, shopId: string, order: string): Promise<number[]> {
  const entries = await store.auditTrail({ shopId, limit: mostEntries })
  return entries.flatMap((one) => (one.action === 'webhook.replayed' && one.order === order ? [one.at] : []))
}

/** The first reminder of a webhook that the shop accepted a moment ago. */
function awaited(
  { statusVersion, deliveredVersion, readVersion }: Payment,
  deliveries: readonly Deliveries[],
) {
  if (deliveredVersion < statusVersion || readVersion >= deliveredVersion) return undefined
  const last = deliveries.find(({ version }) => version === deliveredVersion)
  const accepted = [last?.first, last?.last].find((call) => call && call.failure === undefined)
  if (!accepted) return undefined
  const acceptedAt = accepted.at + accepted.ms
  return { acceptedAt, remindAt: acceptedAt + remindAfter }
}

function reminderOf(acceptedAt: number, remindAt: number | undefined, now: number): string {
  const since = `The shop accepted it at ${time(acceptedAt)} and has not read the status.`
  if (remindAt === undefined)
    return `${since} It gets no more reminders; Purveyor counts it until ${time(acceptedAt + countUnreadFor)}.`
  return `${since} Purveyor sends it again at ${time(Math.max(remindAt, now))}, as a reminder.`
}

/** The first delivery of a status version and, if there were more, the last. */
function callLines({
  version,
  calls,
  first,
  last,
  again,
}: Deliveries & { again: Again | undefined }): string[] {
  const line = (call: DeliveryCall, count: string) =>
    `  ${time(call.at)}  version ${version}  ${outcome(call)}  ${call.ms} ms${count}`
  const why = again === undefined ? '' : againWords(again, first)
  return last ? [line(first, ''), line(last, `  (the last of ${calls} calls${why})`)] : [line(first, '')]
}

const againWords = (again: Again, { failure = 'a failure' }: DeliveryCall): string =>
  again.startsWith('reminder')
    ? `: a ${again}, because the shop had not read the status`
    : `: sent again after ${again.replace('failure', failure)}`

const outcome = ({ status, failure }: DeliveryCall): string => failure ?? `status ${status}`

export interface ReplayOptions {
  shop?: string
  since?: Moment
  dryRun?: boolean
  json?: boolean
}

/** Makes webhooks due now: of the order that has this name, of every status since a moment, or every dead letter. */
export async function replay(name: string | undefined, options: ReplayOptions): Promise<void> {
  const { shop, since, dryRun = false, json } = options
  if (name !== undefined && since !== undefined)
    throw new UsageError('Name an order, or --since with a time, and not both.')
  return withStore(async (store) => {
    const chosen =
      name === undefined
        ? await choose(store, shop, since?.(storeTime(store)))
        : [await paymentNamed(store, name, shop)]
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
