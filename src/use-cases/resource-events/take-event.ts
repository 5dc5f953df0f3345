import { Problem, type ResourceCall, readResourceEvent } from '../../contract/index.ts'
import type { Shop } from '../../shops/shop.ts'
import { hashToken } from '../../shops/tokens.ts'
import { fromPlatform, sealContent } from '../push-content.ts'
import type { Workings } from '../workings.ts'
import type { ResourceHandlers } from './handlers.ts'

interface Received {
  headers: Record<string, string>
  body: Buffer
}

/** The headers that are kept, beside the body. */
const keptHeaders = ['x-event', 'x-shop-id', 'x-cluster-id', 'x-language', 'x-request-id']

/**
 * Receives a resource event: it is on disk when this resolves, and its handler is called afterwards, so that the platform never waits for us.
 * One that came before, and one without a handler, change nothing. Rejects with `BODY_INVALID` if it cannot be read, and with `NOT_FOUND` if it
 * names another shop than its address.
 */
export async function takeResourceEvent(workings: Workings, shop: Shop, call: Received): Promise<void> {
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
