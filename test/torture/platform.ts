import type { PaymentStatus } from '../../src/contract/index.ts'
import { readStatus } from '../../src/payments/read-status.ts'
import type { OutgoingAnswer, OutgoingCall } from '../../src/world.ts'
import { payment } from '../http/messages.ts'
import { startBy } from '../start-by.ts'
import type { Clock } from './clock.ts'
import type { Node } from './node.ts'
import type { Random } from './random.ts'

const timeout = 20_000

export interface Order {
  id: string
  amount: string
  /** The platform's view of the payment. */
  status: PaymentStatus | undefined
  /** Where its customer was sent last. */
  paymentUrl: string | undefined
  /** Every status it has read, in order. */
  read: PaymentStatus[]
  heard: number
}

/** The platform's side of one shop: calls live nodes, repeats what was not answered, and takes the webhook. */
export class Platform {
  readonly orders = new Map<string, Order>()
  /** How the webhook receiver answers at the moment. */
  receiver: 'well' | 'failing' | 'hanging' | 'away' = 'well'
  readonly #clock: Clock
  readonly #random: Random
  readonly #nodes: () => Node[]
  readonly #live = () => this.#random.pick(this.#nodes().filter(({ alive }) => alive))

  constructor(clock: Clock, random: Random, nodes: () => Node[]) {
    this.#clock = clock
    this.#random = random
    this.#nodes = nodes
  }

  /** POST /payment, repeated until it is answered. Resolves with where the customer is sent. */
  async start(id: string, amount: string): Promise<string | undefined> {
    const fresh: Order = { id, amount, status: undefined, paymentUrl: undefined, read: [], heard: 0 }
    const order = this.orders.get(id) ?? fresh
    order.amount = amount
    this.orders.set(id, order)
    const body = {
      ...payment({ id, price_incl: amount }),
      redirect_url: `https://shop.example/return?order=${id}`,
      webhook_url: `https://shop.example/webhook?order=${id}`,
    }
    for (let tries = 0; tries < 300; tries++) {
      const answer = await this.#call((node) => startBy(node.workings, structuredClone(body)))
      if (answer) {
        order.paymentUrl = answer.payment_url
        return answer.payment_url
      }
      await this.#clock.wait(this.#random.between(100, 90_000))
    }
    return undefined
  }

  /** GET /payment/{order_id}, repeated until it is answered. */
  async readStatus(id: string): Promise<void> {
    const order = this.orders.get(id)
    if (!order) return
    for (let tries = 0; tries < 50; tries++) {
      const answer = await this.#call(async ({ workings }) => [await readStatus(workings, 'default', id)])
      const [status] = answer ?? []
      if (status) {
        order.status = status
        order.read.push(status)
      }
      if (answer) return
      await this.#clock.wait(this.#random.between(100, 30_000))
    }
  }

  /** The answer to a webhook. */
  readonly receive = async (call: OutgoingCall): Promise<OutgoingAnswer> => {
    const answer = (status: number) => ({ status, retryAfter: undefined, body: '' })
    if (this.receiver === 'away') throw new Error('connect ECONNREFUSED')
    if (this.receiver === 'failing') return answer(this.#random.pick([500, 429, 503, 302]))
    const id = String((JSON.parse(call.body) as { order_id: number }).order_id)
    const order = this.orders.get(id)
    if (order) order.heard++
    // The platform may read while our call is still open.
    void this.readStatus(id)
    if (this.receiver === 'hanging') {
      await this.#clock.wait(call.timeout)
      throw new Error('timeout')
    }
    await this.#clock.wait(this.#random.between(0, 400))
    return answer(200)
  }

  /** `undefined` when no answer came: the node failed, hung or died. */
  async #call<T>(into: (node: Node) => Promise<T>): Promise<T | undefined> {
    const node = this.#live()
    if (!node) return undefined
    return new Promise((resolve) => {
      const cancel = this.#clock.after(timeout, () => resolve(undefined))
      const answer = (value?: T) => {
        cancel()
        resolve(value)
      }
      into(node).then(
        // A dead process does not answer.
        (value) => node.alive && answer(value),
        () => answer(),
      )
    })
  }
}
