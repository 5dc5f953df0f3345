import { createServer } from 'node:http'
import { pino } from 'pino'
import { listenOn } from '../../../src/http/server.ts'
import {
  createProvider,
  memoryStore,
  type PaymentAdapter,
  type Provider,
  type ProviderOptions,
} from '../../../src/index.ts'
import { checkout, payment } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'

/** The shops of a running provider, called as their platform calls them. */
export class CallingShops {
  readonly #provider: Provider
  readonly #nodeOf: (() => string) | undefined
  readonly #endpoints = new Map<string, string>()
  #orders = 0

  /** `nodeOf` chooses the origin of the node that the next call goes to, where there are several. */
  constructor(provider: Provider, nodeOf?: () => string) {
    this.#provider = provider
    this.#nodeOf = nodeOf
  }

  async add(ids: Iterable<string>): Promise<void> {
    for (const id of ids) this.#endpoints.set(id, (await this.#provider.shops.add(id)).endpoint)
  }

  /** Starts a payment of a new order with `method`, such as `psp:card`. Resolves with whether it was started. */
  async start(shop: string, method: string, webhookUrl = 'http://127.0.0.1/hook'): Promise<boolean> {
    const order = payment({ id: ++this.#orders, method })
    const urls = { redirect_url: 'http://127.0.0.1/back', webhook_url: webhookUrl }
    return (await this.post(shop, 'payment', { ...order, ...urls })) === 201
  }

  /** Resolves with the ids of the shipping methods that were answered; with none for any other answer. */
  async quote(shop: string): Promise<string[]> {
    const answer = await this.#send(shop, 'shipment_methods', checkout)
    const { shipment_methods = [] } = (await answer.json()) as { shipment_methods?: { id: string }[] }
    return shipment_methods.map(({ id }) => id)
  }

  /** Resolves with the status of the answer. */
  async post(shop: string, path: string, body: object): Promise<number> {
    const answer = await this.#send(shop, path, body)
    await answer.arrayBuffer()
    return answer.status
  }

  #send(shop: string, path: string, body: object): Promise<Response> {
    const endpoint = this.#endpoints.get(shop) ?? ''
    const origin = this.#nodeOf?.()
    const url = origin === undefined ? endpoint : `${origin}${new URL(endpoint).pathname}`
    return postJson(`${url}/${path}`, body)
  }
}

/** A provider in development on this machine: silent, and in memory unless `options` say otherwise. */
export const quietProvider = (options: Partial<ProviderOptions>): Provider =>
  createProvider({
    ...{ store: memoryStore(), port: 0, development: true, logger: pino({ level: 'silent' }) },
    ...options,
  })

/** A payment service that sends each customer somewhere. */
export const redirecting = (name: string): PaymentAdapter => ({
  name,
  methods: () => [],
  start: ({ id }) => ({ redirect: `http://127.0.0.1/${id}`, reference: id }),
})

/** Such a provider that listens until the end of the block, and these shops of it. */
export async function openShops(ids: Iterable<string>, options: Partial<ProviderOptions>) {
  const provider = quietProvider(options)
  const { url } = await provider.listen({ host: '127.0.0.1' })
  const shops = new CallingShops(provider)
  await shops.add(ids)
  return { provider, shops, url, [Symbol.asyncDispose]: () => provider.stop() }
}

/** The same with a payment service that every start calls by a name of its own, which is found by the name server at `address`. */
export async function openShopsByName(
  ids: Iterable<string>,
  address: string,
  hostOf: (shop: string, order: string) => string,
) {
  const service = createServer((_req, res) => void res.end('{}'))
  const port = await listenOn(service, 0, '127.0.0.1')
  const opened = await openShops(ids, {
    payments: {
      name: 'psp',
      methods: () => [],
      async start({ id, orderId }, { fetch, shop }) {
        const host = hostOf(shop.id, orderId)
        await fetch(`http://${host}:${port}/`, { headers: { connection: 'close' } })
        return { redirect: `http://127.0.0.1:${port}/${id}`, reference: id }
      },
    },
    network: { nameServers: [address] },
  })
  return {
    ...{ shops: opened.shops, port },
    async [Symbol.asyncDispose]() {
      await opened.provider.stop()
      service.close().closeAllConnections()
    },
  }
}

/** `good0` up to `count` of them. */
export const named = (kind: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${kind}${number}`)
