import { randomUUID } from 'node:crypto'
import { clusterId, shopId } from '../../messages/live.ts'
import { md5OfBody } from '../../platform/resource.ts'
import { withoutToken } from '../../shops/seal.ts'
import { fetchText } from '../calls/explanation.ts'
import type { Stop } from '../clock.ts'
import type { OpenShop } from '../opened.ts'
import { handlingOf, type Order } from '../orders.ts'
import type { RecordAction, Table } from '../state.ts'
import { codeIn } from './fields.ts'
import { accountOf } from './live/orders.ts'
import { type ApiRecord, timestamp } from './records.ts'
import { embedding } from './resource-api.ts'
import type { Resource, Surface } from './surface.ts'

const pathsOfShop = new Map([
  ['order', ['orders', 'shipments']],
  ['invoice', ['invoices']],
])

const minute = 60_000
/** A refused call is repeated after these times, and then given up. */
const again = [minute, 10 * minute, 60 * minute, 6 * 60 * minute]
const timeout = 5_000

interface Call {
  webhook: ApiRecord
  event: string
  resource: Resource
  record: ApiRecord
  id: string
  tries: number
}

/** The words for what became of an order, beside created, updated and deleted. */
const ends = { paymentStatus: 'paid', shipmentStatus: 'shipped', status: 'cancelled' } as const

const becameOf = (order: ApiRecord, before: Partial<ApiRecord> | undefined): string[] =>
  Object.entries(ends).flatMap(([field, value]) =>
    order[field] === value && before?.[field] !== value ? [value] : [],
  )

function keepNewest(events: Table<ApiRecord>, event: Record<string, unknown>): void {
  events.set({ id: events.nextId(), ...event })
  events.delete(events.lastId - 1_000)
}

/** Keeps the events of the records, and sends them to those that clients of the API have subscribed. Those of one subscription go in their order, one at a time. */
export class ResourceEvents {
  readonly #opened: OpenShop
  readonly #events: Table<ApiRecord>
  readonly #queues = new Map<number, Promise<void>>()
  readonly #waiting = new Set<Stop>()
  #closed = false

  constructor(opened: OpenShop) {
    this.#opened = opened
    this.#events = opened.state.table('event')
    opened.state.changes.on('change', this.#follow)
  }

  readonly #follow = (kind: string, id: number, action: RecordAction, before?: unknown): void => {
    const [, path] = /^resource (.+)/.exec(kind) ?? []
    const paths = path === undefined ? (pathsOfShop.get(kind) ?? []) : [path]
    if (paths.length === 0) return
    const { surface, shop } = this.#opened
    if (kind === 'order') this.#noteOrder(surface, id, action)
    for (const path of paths) {
      const resource = surface.find(path)
      // The invoices of the merchant are no records of the API.
      if (!resource || (path === 'invoices' && !surface.exists(path, id))) continue
      const createdAt = timestamp(shop.clock.now())
      keepNewest(this.#events, { createdAt, itemGroup: path, itemAction: action, itemId: id })
      const subscribed = [...surface.find('webhooks')!.source.each(0)].filter(
        ({ itemGroup, isActive = true }) =>
          itemGroup === path && isActive !== false && Number(isActive) !== 0,
      )
      if (subscribed.length === 0 || path === 'webhooks') continue
      const record = action === 'deleted' ? { id } : resource.source.get(id)!
      const states = kind === 'order' && before ? handlingOf(before as Order) : (before as ApiRecord)
      const became = path === 'orders' ? becameOf(record, { ...states }) : []
      for (const webhook of subscribed)
        for (const event of [action, ...became])
          if (webhook.itemAction === '*' || webhook.itemAction === event)
            this.#queue({ webhook, event: `${path}/${event}`, resource, record, id: randomUUID(), tries: 0 })
    }
  }

  /** A new order makes a customer of who placed it, unless there is one with the e-mail address. */
  #noteOrder(surface: Surface, id: number, itemAction: RecordAction): void {
    const { state, shop } = this.#opened
    const order = shop.mustFind(id)
    const createdAt = timestamp(order.updatedAt)
    keepNewest(state.table('event of order'), { createdAt, itemAction, order: id })
    const placedBy = state.table<{ id: number; customer: number }>('customer of order')
    if (placedBy.get(id)) return
    const { source } = surface.find('customers')!
    const at = timestamp(order.createdAt)
    const made = { createdAt: at, updatedAt: at, ...accountOf(order), language: order.language }
    for (const { id: customer, email } of source.each(0))
      if (email === order.customer.email) return void placedBy.set({ id, customer })
    placedBy.set({ id, customer: source.create!(made).id })
  }

  close(): void {
    this.#closed = true
    this.#opened.state.changes.off('change', this.#follow)
    for (const stop of this.#waiting) stop()
  }

  async #written({ webhook, event, resource, record, id }: Call) {
    const { shop, surface, api } = this.#opened
    const language = String(codeIn(webhook.language ?? 'en'))
    const format = webhook.format === 'xml' ? 'xml' : 'json'
    const asking = { base: shop.apiUrl, language, owner: undefined, now: shop.clock.now() }
    const name = resource.row.one
    const content = { [name]: { ...embedding(resource, record, surface, asking), templateDataFields: [] } }
    const body = format === 'xml' ? (await import('./xml.ts')).xmlOf(content) : JSON.stringify(content)
    const headers = {
      'content-type': `application/${format}`,
      'user-agent': 'WebshopappApi',
      'x-event': event,
      'x-shop-id': String(shopId),
      'x-cluster-id': clusterId,
      'x-language': language,
      'x-format': format,
      'x-request-id': id,
      'x-signature': md5OfBody(body, api.appSecret).toString('hex'),
    }
    return { body, headers, content }
  }

  #queue(call: Call): void {
    const { id } = call.webhook
    const tried = (this.#queues.get(id) ?? Promise.resolve()).then(() => this.#try(call))
    this.#queues.set(id, tried)
  }

  async #try(call: Call): Promise<void> {
    if (this.#closed) return
    const { shop } = this.#opened
    const address = String(call.webhook.address)
    const { content, ...sent } = await this.#written(call)
    const at = shop.clock.now()
    const since = performance.now()
    const { response, text, failure } = await fetchText(address, { method: 'POST', ...sent }, timeout)
    if (this.#closed) return
    const { ok = false, status } = response ?? {}
    const wait = ok ? undefined : again[call.tries]
    shop.log.add({
      at,
      direction: 'shop to provider',
      method: 'POST',
      path: withoutToken(new URL(address).pathname).slice(1),
      url: withoutToken(address),
      request: content,
      status,
      ms: Math.round(performance.now() - since),
      wait: timeout,
      headers: { request: sent.headers, answer: {} },
      answer: text,
      meaning: meaningOf(call, ok ? undefined : (failure ?? `it was answered ${status}`), wait),
    })
    if (wait === undefined) return
    const stop = shop.clock.after(wait, () => {
      this.#waiting.delete(stop)
      this.#queue({ ...call, tries: call.tries + 1 })
    })
    this.#waiting.add(stop)
  }
}

function meaningOf({ event, tries }: Call, why: string | undefined, wait: number | undefined): string {
  const which = `Resource event ${event}${tries > 0 ? `, try ${tries + 1}` : ''}`
  if (why === undefined) return `${which}: taken.`
  return wait === undefined
    ? `${which}: ${why}. The platform gives it up.`
    : `${which}: ${why}. The platform repeats it in ${wait / minute} min.`
}
