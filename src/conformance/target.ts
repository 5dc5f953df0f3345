import { randomInt } from 'node:crypto'
import { jsonIn } from '../contract/texts.ts'
import { hasCode } from '../errors/errors.ts'
import { checkoutMessage, estimateMessage, type Message, paymentMessage } from '../messages/exact.ts'
import type { CheckedShop } from '../messages/options.ts'
import { guardedOutgoing } from '../network/outgoing.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { readMethods } from '../sandbox/calls/answers.ts'
import { type Pressed, pressOnPage } from '../sandbox/scenarios/payment-page.ts'
import {
  faults,
  isAddress,
  type MessagePath,
  missingIn,
  noAnswerTo,
  noListOf,
  type Offered,
  type Started,
} from './answers.ts'
import { call, type Exchange, NotMet, type Sent, Skip, shown } from './exchange.ts'
import { type Receiver, webhookPathOf } from './receiver.ts'

/** The provider under check. Answers that several cases need are requested once. */
export class Target {
  /** Without a slash at the end. */
  readonly endpoint!: string
  readonly receiver!: Receiver
  /** Whether the provider can reach the receiver. */
  readonly receives!: boolean
  /** Its `shopId` is sent as `shop.id` and `X-Shop-Id`; without it neither is sent. */
  readonly sender!: CheckedShop
  /** The limit for one answer, in milliseconds. */
  readonly timeout!: number
  readonly #asked = new Map<string, Promise<Exchange>>()
  /** The faults that were found, with the case that reported each. */
  readonly found = new Map<string, { name: string; level: string; notMet: NotMet }>()
  #plainStart: Promise<Exchange> | undefined
  #statusAtStart: Promise<string> | undefined
  readonly acceptedStarts = new Map<number, Set<string>>()
  #nextOrder = 990_000_000 + randomInt(1_000_000) * 8

  constructor(given: Pick<Target, 'endpoint' | 'receiver' | 'receives' | 'sender' | 'timeout'>) {
    Object.assign(this, given)
  }

  async call(path: string, sent: Sent = {}): Promise<Exchange> {
    const headers = { 'x-shop-id': this.sender.shopId?.toString() ?? null, ...sent.headers }
    const exchange = await call(`${this.endpoint}/${path}`, { timeout: this.timeout, ...sent, headers })
    if (/^\/?payment$/.test(path)) this.#noteStart(exchange)
    return exchange
  }

  #noteStart(exchange: Exchange): void {
    const orderId = Number((jsonIn(exchange.body ?? '') as Message | undefined)?.order?.id)
    if (!exchange.succeeded || !Number.isSafeInteger(orderId)) return
    const { payment_url: url } = exchange.fields
    const paymentUrls = this.acceptedStarts.get(orderId) ?? new Set()
    if (typeof url === 'string') paymentUrls.add(url)
    this.acceptedStarts.set(orderId, paymentUrls)
  }

  checkoutMessage(change?: (message: Message) => unknown): Message {
    const message = checkoutMessage(this.sender)
    change?.(message)
    return message
  }

  readonly estimate = () => this.#once('shipment_methods', estimateMessage(this.sender))

  #once(path: string, json: Message): Promise<Exchange> {
    const key = `${path} ${JSON.stringify(json)}`
    const asked = this.#asked.get(key) ?? this.call(path, { json })
    this.#asked.set(key, asked)
    return asked
  }

  /** The payment methods to start payments with, those without an id too. Throws a `Skip` when there is none. */
  async offered(): Promise<Offered[]> {
    const answer = await this.plain('payment_methods')
    const { status, text, failure } = answer
    const received = { status, contentType: answer.answerHeaders['content-type'] ?? '', text, failure }
    const usable = readMethods('payment_methods')(received, { created: false, methods: false }).value
    if (usable.length > 0) return usable
    throw new Skip(
      answer.hasList('payment_methods')
        ? 'The provider offers no payment method to start a payment with'
        : `payment_methods was answered with ${answer.said} and no list of methods, so no payment can be started`,
    )
  }

  /** Throws a `NotMet` without an answer, by its content. `fault` is behind it, unless the plain message has no answer either. */
  async mustAnswer(path: MessagePath, exchange: Exchange, fault?: string): Promise<void> {
    const plain = await this.plain(path)
    const missing = missingIn(path, exchange, plain)
    if (missing === undefined) return
    const isPlain = missingIn(path, plain, plain) !== undefined
    const content = path === 'payment' ? 'a payment_url, as without it' : path
    const expected = exchange.succeeded ? content : 'a status of 2xx'
    const ofPlain = plain.succeeded ? noListOf(path) : noAnswerTo(path)
    throw new NotMet(expected, missing, exchange, isPlain ? ofPlain : fault)
  }

  /** Sends a message. Throws as `mustAnswer` does. */
  async answer(path: MessagePath, json: Message, fault?: string, headers: Sent['headers'] = {}) {
    const exchange = await this.call(path, { json, headers })
    await this.mustAnswer(path, exchange, fault)
    return exchange
  }

  /** The answer to a message without any quirk. A payment is started for it once. */
  plain(path: MessagePath): Promise<Exchange> {
    if (path !== 'payment') return this.#once(path, this.checkoutMessage())
    this.#plainStart ??= this.start().then(({ exchange }) => exchange)
    return this.#plainStart
  }

  /** Reads an icon that the provider names, also on this machine if the endpoint is there. */
  icon(address: string): Promise<Response> {
    const { fetch } = guardedOutgoing({ loopback: isLoopbackHost(new URL(this.endpoint).hostname) })
    const signal = AbortSignal.timeout(this.timeout)
    return fetch(address, { signal }, { name: 'check', network: { maxAnswer: 1024 * 1024 } })
  }

  readonly newOrderId = (): number => this.#nextOrder++

  async paymentMessage(orderId = this.newOrderId(), method?: Offered): Promise<Message> {
    const chosen = method ?? (await this.offered())[0]!
    const shop = this.receives ? this.receiver.url : 'https://shop.example.com'
    const redirectUrl = `${shop}/return/${orderId}?shop=1&from=a%20b`
    const webhookUrl = `${shop}${webhookPathOf(orderId)}?shop=1&key=a%2Fb`
    return paymentMessage({ id: orderId, method: chosen, redirectUrl, webhookUrl, sender: this.sender })
  }

  /** Starts the payment of a new test order, or of the one in `again`. `change` works on the message before it is sent. */
  async start(change?: (message: Message) => unknown, again?: Started, method?: Offered): Promise<Started> {
    const orderId = again?.orderId ?? this.newOrderId()
    const message = await this.paymentMessage(orderId, method)
    change?.(message)
    const exchange = await this.call('payment', { json: message })
    const { payment_url: url } = exchange.fields
    const paymentUrl = isAddress(url) ? url : undefined
    return { orderId, message, exchange, paymentUrl }
  }

  /** Starts a valid payment. Throws a `NotMet` if the answer is not valid. */
  async started(change?: (message: Message) => void): Promise<Started> {
    const started = await this.start(change)
    started.exchange.mustSucceed(noAnswerTo('payment'))
    return started
  }

  readonly statusCall = (orderId: number | string): Promise<Exchange> => this.call(`payment/${orderId}`)

  /** Reads the provider's status of the payment. Throws a `NotMet` without one. */
  async statusOf(orderId: number): Promise<string> {
    const exchange = await this.statusCall(orderId)
    exchange.mustSucceed(faults.noStatus)
    const { status } = exchange.fields
    const isText = typeof status === 'string'
    exchange.must(isText, 'a status', shown(exchange.text), faults.statusWord)
    return status
  }

  /** Clicks a button or link of the payment page as the customer. Throws a `Skip` if the page has no such one. */
  async choose({ paymentUrl }: Started, outcome: string): Promise<Pressed> {
    if (paymentUrl === undefined) throw new Skip('The payment was started without a page')
    return pressOnPage(paymentUrl, outcome).catch((error: Error) => {
      const isMissing = hasCode(error, 'PAGE_BUTTON_MISSING')
      throw new Skip(
        isMissing ? error.message : `The payment page cannot be used without a browser: ${error.message}`,
      )
    })
  }

  /** The fault behind a payment that is paid although nobody has paid it. `undefined` if it is not paid from its start. */
  async paidFault(): Promise<string | undefined> {
    this.#statusAtStart ??= this.started().then(({ orderId }) => this.statusOf(orderId))
    return (await this.#statusAtStart) === 'paid' ? faults.paidAtStart : undefined
  }

  /** The fault behind an address of a payment that another order had already. */
  async addressFault(paymentUrl: string | undefined): Promise<string | undefined> {
    const { payment_url: other } = (await this.plain('payment')).fields
    return paymentUrl === other ? faults.oneAddress : undefined
  }

  /** Throws a `Skip` if the provider cannot call this machine. */
  mustReceive(): void {
    const remedy = 'Name an address that it can reach with --receiver-url'
    if (!this.receives) throw new Skip(`The provider cannot call this machine. ${remedy}`)
  }
}
