// A running provider whose shops' orders are paid, and the receiver that hears of them: what a bad receiver or payment service may delay.
import { createServer, type Server, type ServerResponse } from 'node:http'
import { listenOn } from '../../../src/http/server.ts'
import type { PaymentAdapter, Provider } from '../../../src/index.ts'
import { paid } from '../../helpers/provider.ts'
import { payment } from '../../http/messages.ts'
import { CallingShops, quietProvider } from './shops.ts'

/** How the receiver answers one order, instead of 200. */
export type Answer = (res: ServerResponse) => void

export interface PaidOrder {
  shop: string
  order: number
}

export class PaidOrders {
  readonly provider: Provider
  readonly shops: CallingShops
  readonly #receiver: Server
  readonly #port: number
  readonly #waiting = new Map<string, () => void>()
  /** When each order's webhook was called, in milliseconds of `performance.now()`. */
  readonly calls = new Map<string, number[]>()
  /** Says how the receiver answers an order; 200 without an answer. */
  answerOf: (order: PaidOrder) => Answer | undefined = () => undefined
  #orders = 0

  private constructor(provider: Provider, receiver: Server, port: number) {
    this.provider = provider
    this.shops = new CallingShops(provider)
    this.#receiver = receiver
    this.#port = port
    receiver.on('request', (req, res: ServerResponse) => {
      req.resume()
      const [, shop = '', order = ''] = new URL(req.url!, 'http://localhost').pathname.split('/')
      this.#hear({ shop, order: Number(order) }, res)
    })
  }

  static async open(
    payments: PaymentAdapter[],
    shops: Iterable<string>,
    deadlines: { status?: number } = {},
  ): Promise<PaidOrders> {
    const receiver = createServer()
    const port = await listenOn(receiver, 0, '127.0.0.1')
    const provider = quietProvider({ payments: { adapters: payments, deadlines } })
    const made = new PaidOrders(provider, receiver, port)
    await provider.listen({ host: '127.0.0.1' })
    await made.shops.add(shops)
    return made
  }

  #hear({ shop, order }: PaidOrder, res: ServerResponse): void {
    const key = `${shop} ${order}`
    this.calls.set(key, [...(this.calls.get(key) ?? []), performance.now()])
    const answer = this.answerOf({ shop, order })
    if (answer) return void answer(res)
    res.end()
    this.#waiting.get(key)?.()
  }

  /** Starts a payment of a new order. */
  async start(shop: string, method: string, order = ++this.#orders): Promise<PaidOrder> {
    const webhook_url = `http://127.0.0.1:${this.#port}/${shop}/${order}`
    const urls = { redirect_url: 'http://127.0.0.1/back', webhook_url }
    const status = await this.shops.post(shop, 'payment', { ...payment({ id: order, method }), ...urls })
    if (status !== 201) throw new Error(`POST payment answered ${status}`)
    return { shop, order }
  }

  async report({ shop, order }: PaidOrder): Promise<void> {
    await this.provider.payments.report({ orderId: order, shop }, paid)
  }

  /** Resolves with whether the shop hears of the order within so many milliseconds. */
  heard({ shop, order }: PaidOrder, within: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, within, false)
      this.#waiting.set(`${shop} ${order}`, () => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  }

  /** An order of this shop is started and paid, and the shop hears of it. */
  async payAndHear(shop: string, method: string, within: number): Promise<boolean> {
    const order = await this.start(shop, method)
    const heard = this.heard(order, within)
    await this.report(order)
    return heard
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#receiver.close().closeAllConnections()
    await this.provider.stop()
  }
}
