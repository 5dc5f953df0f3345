import { randomInt } from 'node:crypto'
import { jsonIn } from '../contract/json.ts'
import { hasCode } from '../errors.ts'
import { pressOnPage } from '../sandbox/scenarios/payment-page.ts'
import { expectStatus, expectThat, Skip, shown, statusOf } from './expect.ts'
import { call, type Exchange, type Sent } from './http.ts'
import { checkoutMessage, estimateMessage, type Message, paymentMessage } from './messages.ts'
import type { Receiver } from './receiver.ts'

export type { Exchange } from './http.ts'
export type { Message } from './messages.ts'

/** The endpoint that cases run against, and what they may do to it. */
export interface TargetOptions {
  /** Without a slash at the end. */
  endpoint: string
  /** Sent as `shop.id` and `X-Shop-Id`; without it neither is sent. */
  shopId: number | undefined
  receiver: Receiver
  /** Whether the provider can reach the receiver. */
  receives: boolean
  /** The limit for one answer, in milliseconds. */
  timeout: number
}

/** A payment method as the provider offered it. */
export interface Offered {
  id: string | number
  title: string
}

/** A payment that was started for a marked test order. */
export interface Started {
  orderId: number
  message: Message
  exchange: Exchange
  /** `undefined` if the answer has none. */
  paymentUrl: string | undefined
  redirectUrl: string
  webhookUrl: string
  webhookPath: string
}

/** Sent to a provider that cannot call this machine. */
const unreachableShop = 'https://shop.example.com'

/** The provider under check. Answers that several cases need are requested once. */
export class Target {
  readonly endpoint: string
  readonly receiver: Receiver
  readonly receives: boolean
  readonly shopId: number | undefined
  readonly #timeout: number
  readonly #asked = new Map<string, Promise<Exchange>>()
  /** The orders whose payment the provider has started, by their ids. */
  readonly #started = new Map<number, AcceptedStart>()
  #nextOrder = 990_000_000 + randomInt(1_000_000) * 8

  constructor({ endpoint, shopId, receiver, receives, timeout }: TargetOptions) {
    this.#timeout = timeout
    this.endpoint = endpoint
    this.shopId = shopId
    this.receiver = receiver
    this.receives = receives
  }

  /** Calls a path below the endpoint. */
  async call(path: string, sent: Sent = {}): Promise<Exchange> {
    const headers = {
      ...(this.shopId !== undefined && { 'x-shop-id': String(this.shopId) }),
      ...sent.headers,
    }
    const exchange = await call(`${this.endpoint}/${path}`, { timeout: this.#timeout, ...sent, headers })
    if (/^\/?payment$/.test(path)) this.#noteStart(exchange)
    return exchange
  }

  #noteStart({ status = 0, body, json }: Exchange): void {
    const { order } = (jsonIn(body ?? '') ?? {}) as { order?: { id?: unknown } }
    const orderId = Number(order?.id)
    if (status < 200 || status >= 300 || !Number.isSafeInteger(orderId)) return
    const { payment_url: url } = (json ?? {}) as { payment_url?: unknown }
    const { paymentUrls: before = [] } = this.#started.get(orderId) ?? {}
    const paymentUrls = new Set([...before, ...(typeof url === 'string' ? [url] : [])])
    this.#started.set(orderId, { orderId, paymentUrls, webhookPath: webhookPathOf(orderId) })
  }

  /** The orders whose payment the provider has started. */
  get acceptedStarts(): readonly AcceptedStart[] {
    return [...this.#started.values()]
  }

  readonly checkoutMessage = (): Message => checkoutMessage(this.shopId)
  readonly estimateMessage = (): Message => estimateMessage(this.shopId)

  /** The answer to a plain checkout. */
  readonly shipmentMethods = () => this.#once('shipment_methods', this.checkoutMessage)
  /** The answer to a plain cart. */
  readonly estimate = () => this.#once('shipment_methods', this.estimateMessage)
  readonly paymentMethods = () => this.#once('payment_methods', this.checkoutMessage)

  #once(path: string, message: () => Message): Promise<Exchange> {
    const json = message()
    const key = `${path} ${JSON.stringify(json)}`
    const asked = this.#asked.get(key) ?? this.call(path, { json })
    this.#asked.set(key, asked)
    return asked
  }

  /** The payment methods to start payments with. Throws a `Skip` when there is none. */
  async offered(): Promise<Offered[]> {
    const answer = await this.paymentMethods()
    const methods = listIn(answer.json, 'payment_methods')
    const usable = methods.flatMap(({ id, title }) =>
      (typeof id === 'string' || typeof id === 'number') && typeof title === 'string' ? [{ id, title }] : [],
    )
    if (usable.length > 0) return usable
    throw new Skip(
      isList(answer.json, 'payment_methods')
        ? 'The provider offers no payment method to start a payment with'
        : `payment_methods was answered with ${statusOf(answer)} and no list of methods, so no payment can be started`,
    )
  }

  /** An order id that was not used before. */
  newOrderId(): number {
    return this.#nextOrder++
  }

  /** The start of a payment, not sent yet. */
  async paymentMessage(orderId = this.newOrderId(), method?: Offered): Promise<Message> {
    const chosen = method ?? (await this.offered())[0]!
    const shop = this.receives ? this.receiver.url : unreachableShop
    const redirectUrl = `${shop}/return/${orderId}?shop=1&from=a%20b`
    const webhookUrl = `${shop}${webhookPathOf(orderId)}?shop=1&key=a%2Fb`
    return paymentMessage({ id: orderId, method: chosen, redirectUrl, webhookUrl })
  }

  /** Starts the payment of a new test order, or of the one in `again`. `change` works on the message before it is sent. */
  async start(
    change: (message: Message) => void = () => {},
    again?: Started,
    method?: Offered,
  ): Promise<Started> {
    const orderId = again?.orderId ?? this.newOrderId()
    const message = await this.paymentMessage(orderId, method)
    const { redirect_url: redirectUrl, webhook_url: webhookUrl } = message
    const webhookPath = webhookPathOf(orderId)
    change(message)
    const exchange = await this.call('payment', { json: message })
    const { payment_url: url } = (exchange.json ?? {}) as { payment_url?: unknown }
    const paymentUrl = typeof url === 'string' ? url : undefined
    return { orderId, message, exchange, paymentUrl, redirectUrl, webhookUrl, webhookPath }
  }

  /** Starts a valid payment. Throws a `NotMet` if the answer is not valid. */
  async started(change?: (message: Message) => void): Promise<Started> {
    const started = await this.start(change)
    expectStatus(started.exchange, 201)
    return started
  }

  readonly statusCall = (orderId: number | string): Promise<Exchange> => this.call(`payment/${orderId}`)

  /** Reads the provider's status of the payment. Throws a `NotMet` without one. */
  async statusOf(orderId: number): Promise<string> {
    const exchange = await this.statusCall(orderId)
    expectStatus(exchange, 200)
    const { status } = (exchange.json ?? {}) as { status?: unknown }
    expectThat(typeof status === 'string', 'a status', () => shown(exchange.text), exchange)
    return status
  }

  /** Waits for a status of the payment, for at most the given milliseconds. Resolves with the last one. */
  async waitForStatus(orderId: number, wanted: string, timeout = 3_000): Promise<string> {
    const until = performance.now() + timeout
    for (;;) {
      const status = await this.statusOf(orderId)
      if (status === wanted || performance.now() > until) return status
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Clicks a button of the payment page as the customer. Throws a `Skip` if the page has no such button. */
  async choose({ paymentUrl }: Started, outcome: string): Promise<void> {
    if (paymentUrl === undefined) throw new Skip('The payment was started without a page')
    try {
      await pressOnPage(paymentUrl, outcome)
    } catch (error) {
      if (hasCode(error, 'PAGE_BUTTON_MISSING')) throw new Skip(error.message)
      throw new Skip(`The payment page cannot be used without a browser: ${(error as Error).message}`)
    }
  }

  /** Throws a `Skip` if the provider cannot call this machine. */
  mustReceive(): void {
    if (this.receives) return
    throw new Skip(
      'The provider cannot call this machine. Name an address that it can reach with --receiver-url',
    )
  }
}

/** A test order whose payment the provider has started, with the page of each start. */
export interface AcceptedStart {
  orderId: number
  paymentUrls: ReadonlySet<string>
  webhookPath: string
}

const webhookPathOf = (orderId: number) => `/webhooks/${orderId}`

/** Whether an answer has such a list. */
export const isList = (json: unknown, key: string): boolean =>
  Array.isArray((json as Message | undefined)?.[key])

/** The objects of a list in an answer. */
export function listIn(json: unknown, key: string): Message[] {
  const list = (json as Message | undefined)?.[key]
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}
