import { randomUUID } from 'node:crypto'
import { clusterId, shopId } from '../../messages/live.ts'
import { md5OfBody } from '../../platform/resource.ts'
import { withoutToken } from '../../shops/seal.ts'
import { fetchText } from '../calls/explanation.ts'
import type { Stop } from '../clock.ts'
import type { Shop } from '../shop.ts'
import { shown } from './answers.ts'
import type { ApiRecord } from './records.ts'
import type { Surface } from './surface.ts'
import type { ResourceChange } from './writes.ts'

const minute = 60_000
/** A refused call is repeated after these times, and then given up. */
const again = [minute, 10 * minute, 60 * minute, 6 * 60 * minute]
const timeout = 5_000

interface Options {
  shop: Shop
  surface: Surface
  appSecret: string
}

interface Call {
  webhook: number
  address: string
  event: string
  language: string
  format: 'json' | 'xml'
  /** The record in its envelope, such as `{ "order": {...} }`. */
  content: Record<string, unknown>
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
  readonly #options: Options
  /** The states of each order, without the rest of it: a seed may have many. */
  readonly #states = new Map<number, States>()
  readonly #queues = new Map<number, Promise<void>>()
  readonly #waiting = new Set<Stop>()
  #closed = false

  constructor(options: Options) {
    this.#options = options
    for (const order of options.surface.find('orders')?.source.each(0) ?? [])
      this.#states.set(order.id, statesOf(order))
  }

  /** A record of the shop has changed. */
  changed({ resource, action, record }: ResourceChange): void {
    const { shop, surface } = this.#options
    const group = resource.row.path
    const actions = [action, ...(group === 'orders' ? this.#becameOf(record) : [])]
    if (group === 'webhooks') return
    for (const webhook of surface.find('webhooks')?.source.each(0) ?? []) {
      if (webhook.isActive !== true || webhook.itemGroup !== group) continue
      for (const one of actions) {
        if (webhook.itemAction !== '*' && webhook.itemAction !== one) continue
        const language = String(webhook.language)
        const content = shown(resource.row, record, { base: shop.apiUrl, language })
        this.#queue({
          webhook: webhook.id,
          address: String(webhook.address),
          event: `${group}/${one}`,
          language,
          format: webhook.format === 'xml' ? 'xml' : 'json',
          content: { [resource.row.one]: content },
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

  async #written({ event, language, format, content, id }: Call) {
    // A document of XML has one element: `templateDataFields` has no place beside it.
    const body =
      format === 'xml'
        ? (await import('./xml.ts')).xmlOf(content, 'record')
        : JSON.stringify({ ...content, templateDataFields: [] })
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
    return { body, headers }
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
    const sent = await this.#written(call)
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
      request: call.format === 'xml' ? call.content : JSON.parse(sent.body),
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
