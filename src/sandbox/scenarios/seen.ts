import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '../../contract/texts.ts'
import type { LoggedCall } from '../calls/call-log.ts'
import { keyOf } from '../checkout.ts'
import { handlingOf, type OfferedMethod, type Order } from '../orders.ts'
import type { Shop } from '../shop.ts'
import type { Expectation } from './scenario.ts'

export class Failed extends Error {}

export const pollEvery = 10

export const urlIn = (answer: string): unknown =>
  ((jsonIn(answer) ?? {}) as { payment_url?: unknown }).payment_url

/** The calls, lists of methods and order that a scenario has seen, and how they stand against an expectation. */
export class Seen {
  protected readonly shop: Shop
  readonly calls: LoggedCall[] = []
  readonly lists: OfferedMethod[][] = []
  orderId: number | undefined

  constructor(shop: Shop) {
    this.shop = shop
  }

  order(): Order {
    const order = this.orderId === undefined ? undefined : this.shop.order(this.orderId)
    if (!order) throw new Failed('No order was placed')
    return order
  }

  /** The addresses in answers to the starts of this payment, oldest first; empty without one. Lost answers are left out. */
  paymentUrls(): string[] {
    return this.callsOf('payment').flatMap(({ answer, status }) => {
      if (status === undefined) return []
      const url = urlIn(answer)
      return [typeof url === 'string' ? url : '']
    })
  }

  callsOf(path: string): LoggedCall[] {
    return this.shop.log.calls.filter((call) => call.path === path && call.orderId === this.orderId)
  }

  async unmet(expected: Expectation, patience: number): Promise<string | undefined> {
    const until = performance.now() + patience
    for (const [name, value] of Object.entries(expected)) {
      const [subject, see] = this.#subjects[name as keyof Expectation]
      for (;;) {
        const seen = await see()
        if (isDeepStrictEqual(seen, value)) break
        if (performance.now() > until) return `${subject} is ${seen ?? 'nothing'}, not ${value}`
        await new Promise((resolve) => setTimeout(resolve, pollEvery))
      }
    }
  }

  readonly #subjects: Record<keyof Expectation, [subject: string, see: () => unknown]> = {
    order: ['The order', () => this.order().status],
    provider: ['The status at the provider', () => this.shop.askStatus(this.order().id)],
    webhooks: ['The number of webhook calls', () => this.#webhooks().length],
    webhooksWaiting: ['The number of webhook calls without an answer', () => this.shop.webhooksWaiting],
    paymentUrls: [
      'The address in answers to the starts',
      () => (new Set(this.paymentUrls()).size === 1 ? 'same' : 'different'),
    ],
    methods: ['The lists of methods', () => this.#agreement()],
    lists: ['The lists of methods', () => (new Set(this.#listTexts()).size <= 1 ? 'same' : 'different')],
    answers: ['The answer', () => this.fault()],
    methodCalls: ['The number of calls for each kind of methods', () => this.#methodCalls()],
    lastStatus: ['The HTTP status', () => this.calls.at(-1)?.status],
    handling: ['The order', () => handlingOf(this.order()).status],
    result: ['The shipment', () => handlingOf(this.order()).result],
    invoice: ['The invoice', () => handlingOf(this.order()).invoice],
  }

  #webhooks(): LoggedCall[] {
    const { calls } = this.shop.log
    return calls.filter((one) => one.direction === 'provider to shop' && one.orderId === this.orderId)
  }

  #agreement(): 'none' | NonNullable<Expectation['methods']> {
    const lists = this.#listTexts()
    if (lists.some((list) => list === '')) return 'none'
    return lists.length > 1 && new Set(lists).size === 1 ? 'same' : 'some'
  }

  #listTexts(): string[] {
    return this.lists.map((list) => list.map(({ id, price_incl }) => `${id} ${price_incl}`).join())
  }

  #methodCalls(): number {
    const paths = this.calls.map(({ path }) => path).filter((path) => path.endsWith('_methods'))
    return Math.max(0, ...paths.map((path) => paths.filter((one) => one === path).length))
  }

  /** `valid`, or the first fault of the answers with methods. */
  fault(): string {
    const calls = this.calls.filter(({ path }) => path.endsWith('_methods'))
    const fault = calls.flatMap(({ faults }) => faults)[0]
    if (fault) return `wrong at ${fault.path} (${fault.message})`
    const doubled = this.lists.some((list) => new Set(list.map(keyOf)).size < list.length)
    return doubled ? 'one with an id that is there twice' : 'valid'
  }
}
