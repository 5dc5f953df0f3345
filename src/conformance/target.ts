import { randomInt } from 'node:crypto'
import { paymentStatuses } from '../contract/index.ts'
import { jsonIn } from '../contract/texts.ts'
import { hasCode } from '../errors/errors.ts'
import { checkoutMessage, estimateMessage, type Message, paymentMessage } from '../messages/exact.ts'
import type { CheckedShop } from '../messages/options.ts'
import { guardedOutgoing } from '../network/outgoing.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { readMethods } from '../sandbox/calls/answers.ts'
import { type Pressed, pressOnPage } from '../sandbox/scenarios/payment-page.ts'
import {
  call,
  type Exchange,
  expectSuccess,
  expectThat,
  NotMet,
  type Sent,
  Skip,
  shown,
  statusOf,
  succeeded,
} from './exchange.ts'
import { type Picture, readPicture } from './picture.ts'
import type { Receiver } from './receiver.ts'

export type { Message } from '../messages/exact.ts'
export type { Exchange } from './exchange.ts'

/** The endpoint that cases run against, and what they may do to it. */
export interface TargetOptions {
  /** Without a slash at the end. */
  endpoint: string
  /** Its `shopId` is sent as `shop.id` and `X-Shop-Id`; without it neither is sent. */
  sender: CheckedShop
  receiver: Receiver
  /** Whether the provider can reach the receiver. */
  receives: boolean
  /** The limit for one answer, in milliseconds. */
  timeout: number
}

/** A payment method as the provider offered it, and as the sandbox's shop reads it. */
export interface Offered {
  id: string
  title: string
  data: Record<string, unknown>
}

/** A message that must be answered. */
export type MessagePath = 'shipment_methods' | 'payment_methods' | 'payment'

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
  readonly #sender: CheckedShop
  readonly #timeout: number
  readonly #asked = new Map<string, Promise<Exchange>>()
  readonly #known = new Map<string, NotMet>()
  #plainStart: Promise<Exchange> | undefined
  #paidAtStart: Promise<boolean> | undefined
  /** The orders whose payment the provider has started, by their ids. */
  readonly #started = new Map<number, AcceptedStart>()
  #nextOrder = 990_000_000 + randomInt(1_000_000) * 8

  constructor({ endpoint, sender, receiver, receives, timeout }: TargetOptions) {
    this.#timeout = timeout
    this.endpoint = endpoint
    this.#sender = sender
    this.receiver = receiver
    this.receives = receives
  }

  /** Calls a path below the endpoint. */
  async call(path: string, sent: Sent = {}): Promise<Exchange> {
    const headers = {
      ...(this.#sender.shopId !== undefined && { 'x-shop-id': String(this.#sender.shopId) }),
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

  readonly checkoutMessage = (): Message => checkoutMessage(this.#sender)
  readonly estimateMessage = (): Message => estimateMessage(this.#sender)

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

  /** The payment methods to start payments with, those without an id too. Throws a `Skip` when there is none. */
  async offered(): Promise<Offered[]> {
    const answer = await this.paymentMethods()
    const { status, text, failure } = answer
    const received = { status, contentType: answer.answerHeaders['content-type'] ?? '', text, failure }
    const usable = readMethods('payment_methods')(received, { created: false, methods: false }).value
    if (usable.length > 0) return usable.map(({ id, title, data }) => ({ id, title, data }))
    throw new Skip(
      isList(answer.json, 'payment_methods')
        ? 'The provider offers no payment method to start a payment with'
        : `payment_methods was answered with ${statusOf(answer)} and no list of methods, so no payment can be started`,
    )
  }

  /**
   * Throws a `NotMet` unless a message has an answer, by its content: a wrong status of success is the finding of one case alone.
   * `fault` names what is behind it, unless the plain message has no answer either.
   */
  async mustAnswer(path: MessagePath, exchange: Exchange, fault?: string): Promise<void> {
    const plain = await this.plain(path)
    const missing = missingIn(path, exchange, plain)
    if (missing === undefined) return
    const isPlain = missingIn(path, plain, plain) !== undefined
    const expected = succeeded(exchange) ? contentOf[path] : 'a status of 2xx'
    const ofPlain = succeeded(plain) ? noListOf(path) : noAnswerTo(path)
    throw new NotMet(expected, missing, exchange, isPlain ? ofPlain : fault)
  }

  /** Sends a message. Throws as `mustAnswer` does. */
  async answer(
    path: MessagePath,
    json: Message,
    fault?: string,
    headers?: Sent['headers'],
  ): Promise<Exchange> {
    const exchange = await this.call(path, { json, ...(headers && { headers }) })
    await this.mustAnswer(path, exchange, fault)
    return exchange
  }

  /** The answer to a message without any quirk. A payment is started for it once. */
  async plain(path: MessagePath): Promise<Exchange> {
    if (path === 'shipment_methods') return this.shipmentMethods()
    if (path === 'payment_methods') return this.paymentMethods()
    this.#plainStart ??= this.start().then(({ exchange }) => exchange)
    return this.#plainStart
  }

  /** Reads a picture that the provider names, also on this machine if the endpoint is there. */
  picture(address: string): Promise<Picture> {
    const loopback = isLoopbackHost(new URL(this.endpoint).hostname)
    return readPicture(address, guardedOutgoing({ loopback }), { caller: 'check', timeout: this.#timeout })
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
    return paymentMessage({ id: orderId, method: chosen, redirectUrl, webhookUrl, sender: this.#sender })
  }

  /** Starts the payment of a new test order, or of the one in `again`. `change` works on the message before it is sent. */
  async start(
    change: (message: Message) => unknown = () => {},
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
    const paymentUrl = isAddress(url) ? url : undefined
    return { orderId, message, exchange, paymentUrl, redirectUrl, webhookUrl, webhookPath }
  }

  /** Starts a valid payment. Throws a `NotMet` if the answer is not valid. */
  async started(change?: (message: Message) => void): Promise<Started> {
    const started = await this.start(change)
    expectSuccess(started.exchange, noAnswerTo('payment'))
    return started
  }

  readonly statusCall = (orderId: number | string): Promise<Exchange> => this.call(`payment/${orderId}`)

  /** Reads the provider's status of the payment. Throws a `NotMet` without one. */
  async statusOf(orderId: number): Promise<string> {
    const exchange = await this.statusCall(orderId)
    expectSuccess(exchange, faults.noStatus)
    const { status } = (exchange.json ?? {}) as { status?: unknown }
    const isText = typeof status === 'string'
    expectThat(isText, 'a status', () => shown(exchange.text), exchange, faults.statusWord)
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

  /** Clicks a button or link of the payment page as the customer. Throws a `Skip` if the page has no such one. */
  async choose({ paymentUrl }: Started, outcome: string): Promise<Pressed> {
    if (paymentUrl === undefined) throw new Skip('The payment was started without a page')
    try {
      return await pressOnPage(paymentUrl, outcome)
    } catch (error) {
      if (hasCode(error, 'PAGE_BUTTON_MISSING')) throw new Skip(error.message)
      throw new Skip(`The payment page cannot be used without a browser: ${(error as Error).message}`)
    }
  }

  /** Runs a check that may wait for long. Throws at once where its fault, or what was in its place, is known. */
  async patiently<T>(fault: string, check: () => Promise<T>, inItsPlace: readonly string[] = []): Promise<T> {
    const known = this.#known.get(fault)
    if (known) throw known
    try {
      return await check()
    } catch (error) {
      if (error instanceof NotMet && [fault, ...inItsPlace].includes(error.fault ?? ''))
        this.#known.set(fault, error)
      throw error
    }
  }

  /** Whether a check has found a fault that it would wait for again. */
  readonly knows = (fault: string): boolean => this.#known.get(fault)?.fault === fault

  /** The fault behind a payment that is paid although nobody has paid it. `undefined` if it is not paid from its start. */
  async paidFault(): Promise<string | undefined> {
    this.#paidAtStart ??= this.started()
      .then(({ orderId }) => this.statusOf(orderId))
      .then((status) => status === 'paid')
    return (await this.#paidAtStart) ? faults.paidAtStart : undefined
  }

  /** The fault behind an address of a payment that another order had already. */
  async addressFault(paymentUrl: string | undefined): Promise<string | undefined> {
    const { payment_url: other } = ((await this.plain('payment')).json ?? {}) as { payment_url?: unknown }
    return paymentUrl === other ? faults.oneAddress : undefined
  }

  /** Throws a `Skip` if the provider cannot call this machine. */
  mustReceive(): void {
    if (this.receives) return
    throw new Skip(
      'The provider cannot call this machine. Name an address that it can reach with --receiver-url',
    )
  }
}

/** The address of a payment. Throws a `Skip` for one that was started without it. */
export function addressOf({ paymentUrl }: Pick<Started, 'paymentUrl'>): string {
  if (paymentUrl === undefined) throw new Skip('The payment was started without a payment_url')
  return paymentUrl
}

/** A test order whose payment the provider has started, with the page of each start. */
export interface AcceptedStart {
  orderId: number
  paymentUrls: ReadonlySet<string>
  webhookPath: string
}

/** The fault behind a `Cache-Control` that lets answers be stored. */
export const keptFault = (header: string): string | undefined =>
  /public|max-age=[1-9]/.test(header) ? faults.kept : undefined

export const isAddress = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\/\S+$/.test(url) && URL.canParse(url)

const webhookPathOf = (orderId: number) => `/webhooks/${orderId}`

export const isWord = (status: string): boolean => paymentStatuses.some((word) => word === status)

/** Faults that several cases run into. */
export const faults = {
  noStatus: 'no status',
  statusWord: 'another word than the four statuses',
  notPaid: 'a payment that is not paid after its page',
  notCancelled: 'a payment that is not cancelled after its page',
  noWebhook: 'no webhook',
  paidAtStart: 'paid before the customer has paid',
  oneAddress: 'one payment_url for all orders',
  unknownOrder: 'a status for an order that was never started',
  kept: 'answers that a cache may store',
} as const

export const noAnswerTo = (path: MessagePath): string => `no answer to ${path}`
export const noListOf = (path: MessagePath): string => `no list in the answer to ${path}`

const contentOf: Record<MessagePath, string> = {
  shipment_methods: 'shipment_methods',
  payment_methods: 'payment_methods',
  payment: 'a payment_url, as without it',
}

/** The reason why an exchange is no answer, beside the answer to the plain message. `undefined` if it is one. */
function missingIn(path: MessagePath, exchange: Exchange, plain: Exchange): string | undefined {
  if (!succeeded(exchange)) return statusOf(exchange)
  if (path === 'payment') {
    const hasUrl = ({ json }: Exchange) => Boolean((json as Message | undefined)?.payment_url)
    return hasUrl(plain) && !hasUrl(exchange) ? `${statusOf(exchange)} without payment_url` : undefined
  }
  const isAsPlain = exchange.text.trim() === '' && plain.text.trim() === ''
  return isAsPlain || isList(exchange.json, path)
    ? undefined
    : `${statusOf(exchange)} and ${shown(exchange.text)}`
}

/** Whether an answer holds a list of methods, also one that PHP has written as an object. */
export const isList = (json: unknown, key: string): boolean =>
  typeof (json as Message | undefined)?.[key] === 'object' && (json as Message)[key] !== null

/** The objects of a list in an answer, also of one that PHP has written as an object. */
export const listIn = (json: unknown, key: string): Message[] =>
  itemsIn(json, key).filter((one): one is Message => typeof one === 'object' && one !== null)

/** Everything in a list of an answer. */
export const itemsIn = (json: unknown, key: string): unknown[] =>
  isList(json, key) ? Object.values((json as Message)[key]) : []
