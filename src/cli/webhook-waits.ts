import { counted } from '../printable.ts'
import type { LaneRecord, StorePort, WebhookState } from '../store.ts'
import { time } from './terminal/print.ts'

/** The reason that a webhook was not delivered yet, and the command that comes next. */
export interface WebhookWait {
  says: string
  next: string
}

/** A call that is due for longer than this is overdue, in milliseconds. */
const minute = 60_000

/** Why the webhook of an order waits. `undefined` if the shop has accepted it, or none was ever due. */
export async function webhookWait(
  store: StorePort,
  { shopId, orderId }: { shopId: string; orderId: string },
  now: number,
): Promise<WebhookWait | undefined> {
  const [webhook] = await store.webhooks({ shopId, orderId, limit: 1 })
  if (!webhook || webhook.state === 'delivered') return undefined
  const to = URL.parse(webhook.webhookUrl)?.host ?? ''
  const [lane] = webhook.laneClosed ? await store.lanes({ shopId, kind: 'webhook', to, now, limit: 1 }) : []
  return waitOf(webhook, { to, lane, now })
}

function waitOf(
  { shopId, orderId, state, laneClosed, waitsForLane, dueAt = 0, lastFailure, tries }: WebhookState,
  { to, lane, now }: { to: string; lane: LaneRecord | undefined; now: number },
): WebhookWait {
  const replay = `purveyor webhooks replay ${orderId} --shop ${shopId}`
  const failed = lastFailure === undefined ? '' : ` The last call failed: ${lastFailure}.`
  if (state === 'dead') return { says: `Given up after ${counted(tries, 'call')}.${failed}`, next: replay }
  if (laneClosed) {
    const since = lane?.closedAt === undefined ? '' : ` since ${time(lane.closedAt)}`
    const why = lane?.lastFailure === undefined ? '' : ` (${lane.lastFailure})`
    const at = time(Math.max(dueAt, now))
    const next = waitsForLane
      ? `The next call of the lane is at ${at}, for one order.`
      : `It was refused on its own, and is tried at ${at} at the earliest.`
    return {
      says: `It waits for its lane to ${to}, which is closed${since}${why}. ${next}`,
      next: `purveyor lanes show webhook ${shopId} ${to}`,
    }
  }
  const says =
    now - dueAt > minute
      ? `It is due since ${time(dueAt)}; its lane to ${to} is open.${failed}`
      : `Purveyor ${tries === 0 ? 'sends it' : 'sends it again'} at ${time(Math.max(dueAt, now))}; its lane to ${to} is open.${failed}`
  return { says, next: tries === 0 ? `purveyor lanes show webhook ${shopId} ${to}` : replay }
}
