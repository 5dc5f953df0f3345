import { randomUUID } from 'node:crypto'
import { clusterId, shopId } from '../../messages/live.ts'
import { md5OfBody } from '../../platform/resource.ts'
import { withoutToken } from '../../shops/seal.ts'
import { fetchText } from '../calls/explanation.ts'
import type { Stop } from '../clock.ts'
import type { Shop } from '../shop.ts'
import type { State } from '../state.ts'
import type { RecordAction } from '../table.ts'
import { codeIn } from './fields.ts'
import type { ApiRecord } from './records.ts'
import { embedding } from './resource-api.ts'
import type { Resource, Surface } from './surface.ts'

/** One change of one record, by the pages or the API. `record` has only its id if the record is deleted. */
interface ResourceChange {
  resource: Resource
  action: RecordAction
  record: ApiRecord
}

const kindsOfShop: Record<string, readonly string[]> = {
  order: ['orders', 'shipments'],
  invoice: ['invoices'],
}

/** Calls back once for each change of a record of the API, after it is saved. Returns how to stop. */
export function followChanges(
  state: State,
  surface: Surface,
  listener: (change: ResourceChange) => void,
): () => void {
  const follow = (kind: string, id: number, action: RecordAction) => {
    const paths = kind.startsWith('resource ') ? [kind.slice('resource '.length)] : (kindsOfShop[kind] ?? [])
    for (const path of paths) {
      const resource = surface.find(path)
      const record = action === 'deleted' ? { id } : resource?.source.get(id)
      if (resource && record) listener({ resource, action, record })
    }
  }
  state.changes.on('change', follow)
  return () => state.changes.off('change', follow)
}

const minute = 60_000
/** A refused call is repeated after these times, and then given up. */
const again = [minute, 10 * minute, 60 * minute, 6 * 60 * minute]
const timeout = 5_000

interface Call {
  webhook: number
  address: string
  event: string
  language: string
  format: 'json' | 'xml'
  resource: Resource
  record: ApiRecord
  id: string
  tries: number
}

type States = Record<'status' | 'paymentStatus' | 'shipmentStatus', unknown>

const statesOf = ({ status, paymentStatus, shipmentStatus }: ApiRecord): States => ({
  status,
  paymentStatus,
  shipmentStatus,
})

const ends = { paymentStatus: 'paid', shipmentStatus: 'shipped', status: 'cancelled' } satisfies States

/** Sends resource events to those that clients of the API have subscribed. Those of one subscription go in their order, one at a time. */
export class ResourceEvents {
  readonly #options: { shop: Shop; surface: Surface; appSecret: string }
  /** The states of each order, without the rest of it: a seed may have many. */
  readonly #states = new Map<number, States>()
  readonly #queues = new Map<number, Promise<void>>()
  readonly #waiting = new Set<Stop>()
  #closed = false

  constructor(options: { shop: Shop; surface: Surface; appSecret: string }) {
    this.#options = options
    for (const order of options.surface.find('orders')?.source.each(0) ?? [])
      this.#states.set(order.id, statesOf(order))
  }

  /** A record of the shop has changed. */
  changed({ resource, action, record }: ResourceChange): void {
    const { surface } = this.#options
    const group = resource.row.path
    const actions = [action, ...(group === 'orders' ? this.#becameOf(record) : [])]
    if (group === 'webhooks') return
    for (const webhook of surface.find('webhooks')?.source.each(0) ?? []) {
      const { isActive = true, itemGroup, itemAction, format } = webhook
      if (itemGroup !== group || isActive === false || Number(isActive) === 0) continue
      const language = String(codeIn(webhook.language ?? 'en'))
      for (const one of actions) {
        if (itemAction !== '*' && itemAction !== one) continue
        this.#queue({
          webhook: webhook.id,
          address: String(webhook.address),
          event: `${group}/${one}`,
          format: format === 'xml' ? 'xml' : 'json',
          ...{ language, resource, record },
          id: randomUUID(),
          tries: 0,
        })
      }
    }
  }

  /** Makes no further calls. */
  close(): void {
    this.#closed = true
    for (const stop of this.#waiting) stop()
  }

  /** The words for what became of an order, beside created, updated and deleted. */
  #becameOf(order: ApiRecord): string[] {
    const before = this.#states.get(order.id)
    const now = statesOf(order)
    this.#states.set(order.id, now)
    return (Object.entries(ends) as [keyof States, string][]).flatMap(([field, value]) =>
      now[field] === value && before?.[field] !== value ? [value] : [],
    )
  }

  async #written({ event, language, format, resource, record, id }: Call) {
    const { shop, surface } = this.#options
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
      'x-signature': md5OfBody(body, this.#options.appSecret).toString('hex'),
    }
    return { body, headers, content }
  }

  #queue(call: Call): void {
    const before = this.#queues.get(call.webhook) ?? Promise.resolve()
    this.#queues.set(
      call.webhook,
      before.then(() => this.#try(call)),
    )
  }

  async #try(call: Call): Promise<void> {
    if (this.#closed) return
    const { shop } = this.#options
    const { content, ...sent } = await this.#written(call)
    const at = shop.clock.now()
    const since = performance.now()
    const { response, text, failure } = await fetchText(call.address, { method: 'POST', ...sent }, timeout)
    if (this.#closed) return
    const { ok = false, status } = response ?? {}
    const wait = ok ? undefined : again[call.tries]
    shop.log.add({
      at,
      direction: 'shop to provider',
      orderId: undefined,
      method: 'POST',
      path: withoutToken(new URL(call.address).pathname).slice(1),
      url: withoutToken(call.address),
      request: content,
      status,
      ms: Math.round(performance.now() - since),
      wait: timeout,
      headers: { request: sent.headers, answer: {} },
      answer: text,
      faults: [],
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
