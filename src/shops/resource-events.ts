import { callAdapter, Deadline, deadlineFetch } from '../adapters/call-adapter.ts'
import {
  type EventRecord,
  Problem,
  type ResourceCall,
  type ResourceEvent,
  readResourceEvent,
} from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import type { Push, SettledPush } from '../store-port.ts'
import type { ChosenMethod, ResourceContext, ResourceHandlers } from './resource-handlers.ts'
import { fromPlatform, hashToken, openContent, sealContent } from './seal.ts'
import type { Shop } from './shop.ts'

/** The time for one try of a handler, in milliseconds. */
const timeOfTry = 30_000
export type EventHandling = Parts<'world' | 'store' | 'settings' | 'contents' | 'resourceHandlers'>

/** Calls the handler of a stored resource event. Rejects with what the handler throws. */
export async function processResourceEvent(workings: EventHandling, push: Push): Promise<SettledPush> {
  const { headers, body } = openContent(workings.contents, push)
  const event = readResourceEvent({ headers, body: Buffer.from(body, 'base64') })
  // It was read when it came, maybe by a node of another version.
  if (typeof event === 'string')
    throw wrongCall(`This version cannot read the event: it ${event}. Run one version on every node`)
  const handler = workings.resourceHandlers[event.group as keyof ResourceHandlers]
  const lacks = `This node has no resourceEvents.${event.group}, and the one that took the event has`
  if (!handler) throw wrongCall(`${lacks}: run one version on every node`)
  const deadline = new Deadline(workings.world, timeOfTry)
  const ctx = await contextOf(workings, push, event, deadline)
  const how = { adapter: { name: fromPlatform }, call: event.group, shop: push.shopId, deadline }
  await callAdapter(workings.world, how, async () => handler(event.record, ctx))
  return { outcome: 'processed', detail: `${event.group}/${event.action}${idOf(event.record)}: handled` }
}

async function contextOf(workings: EventHandling, push: Push, event: ResourceEvent, deadline: Deadline) {
  const { world } = workings
  const { shopId, key } = push
  const shop = await workings.store.shop(shopId)
  const opened = shop && workings.settings.of(shop)
  const fetch = deadlineFetch(world, deadline, { name: fromPlatform, shop: shopId })
  return {
    ...{ shop: { id: shopId }, action: event.action, key, event, fetch, now: world.now, log: world.log },
    shippingMethod: shippingMethodOf(event.record),
    settingsOf: <S>(adapter: { name: string }) => opened?.of(adapter) as S,
    get signal() {
      return deadline.signal
    },
  } satisfies ResourceContext
}

/** `shipmentId` is a kind, the service and the method, such as `external|12|next-day`. A method's own id may have a `|` in it. */
function shippingMethodOf({ shipmentId, shipmentTitle }: EventRecord): ChosenMethod | undefined {
  if (typeof shipmentId !== 'string' || shipmentId === '') return undefined
  const parts = shipmentId.split('|')
  const id = parts.length > 2 ? parts.slice(2).join('|') : parts.at(-1)!
  const title = typeof shipmentTitle === 'string' && shipmentTitle !== '' ? shipmentTitle : undefined
  return id === '' ? undefined : { id, title }
}

const idOf = ({ id }: EventRecord): string =>
  typeof id === 'number' || typeof id === 'string' ? ` of ${String(id).slice(0, 40)}` : ''

/** The headers that are kept, beside the body. */
const keptHeaders = ['x-event', 'x-shop-id', 'x-cluster-id', 'x-language', 'x-request-id']

/**
 * Receives a resource event: it is on disk when this resolves, and its handler is called afterwards, so that the platform never waits for us.
 * One that came before, and one without a handler, change nothing. Rejects with `BODY_INVALID` if it cannot be read, and with `NOT_FOUND` if it
 * names another shop than its address.
 */
export async function takeResourceEvent(
  workings: EventHandling & Parts<'wake'>,
  shop: Shop,
  call: { headers: Record<string, string>; body: Buffer },
): Promise<void> {
  const event = readResourceEvent(call satisfies ResourceCall)
  if (typeof event === 'string')
    throw new Problem('BODY_INVALID', { faults: [{ path: '$', message: event }] })
  if (shop.platformId !== undefined && event.shopId !== undefined && event.shopId !== shop.platformId) {
    workings.world.observer.refused('OTHER_SHOP', { shop: shop.id })
    throw new Problem('NOT_FOUND')
  }
  if (!workings.resourceHandlers[event.group as keyof ResourceHandlers]) return
  const body = call.body.toString('base64')
  const key = hashToken(`${event.group}/${event.action}\n${body}`)
  const about = { shopId: shop.id, adapter: fromPlatform, key }
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => (call.headers[name] === undefined ? [] : [[name, call.headers[name]]])),
  )
  const now = workings.world.now()
  const sealed = sealContent(workings.contents, about, { body, headers, query: '' })
  if (await workings.store.keepPushOnce({ ...about, sealed, receivedAt: now }, now)) workings.wake()
}
