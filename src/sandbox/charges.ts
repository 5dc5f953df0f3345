import { randomBytes } from 'node:crypto'
import type { ChargeType } from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import { clusterId, shopId } from '../messages/live.ts'
import { type Decimal, decimal } from '../money/index.ts'
import { md5OfPairs } from '../platform/callbacks.ts'
import type { MovingClock } from './clock.ts'
import { handlingOf, type Order } from './orders.ts'
import type { State, Table } from './state.ts'
import type { Switches } from './switches.ts'

/** The address for the merchant after a decision on a charge: its callbackUrl with signed parameters (spec 5, 6). */
export function callbackUrlOf(
  charge: Charge,
  by: { language: string; appSecret: string; now: number },
): string {
  const { language, appSecret, now } = by
  const timestamp = String(Math.floor(now / 1000))
  const signed = { app_subscription_id: String(charge.id), language, shop_id: String(shopId), timestamp }
  const url = new URL(charge.callbackUrl)
  for (const [name, value] of Object.entries(signed)) url.searchParams.set(name, value)
  url.searchParams.set('cluster_id', clusterId)
  url.searchParams.set('signature', md5OfPairs(signed, appSecret).toString('hex'))
  return url.href
}

/** The recipient of an invoice: a customer of the shop, or the merchant, whom apps charge. */
export type InvoiceFor = 'customer' | 'merchant'

/** An invoice to the customer or to the merchant. Amounts are decimal text. */
export interface Invoice {
  id: number
  number: string
  for: InvoiceFor
  orderId: number | undefined
  /** With VAT. */
  lines: { title: string; amount: Decimal }[]
  total: Decimal
  status: 'paid' | 'not_paid'
  /** Milliseconds since 1970. */
  createdAt: number
}

export class Invoices {
  readonly table: Table<Invoice>
  readonly #ofOrders: Map<number | undefined, number>

  constructor(state: State) {
    this.table = state.table('invoice')
    this.#ofOrders = new Map(this.all().map(({ id, orderId }) => [orderId, id]))
  }

  readonly all = (): Invoice[] => this.table.all()

  add(invoice: Omit<Invoice, 'id' | 'number' | 'total'>): Invoice {
    const id = this.table.nextId()
    const number = `INV${String(id).padStart(5, '0')}`
    const total = invoice.lines.reduce((sum, { amount }) => sum.plus(amount), decimal(0)).toFixed(2)
    this.#ofOrders.set(invoice.orderId, id)
    return this.table.set({ ...invoice, id, number, total })
  }

  /** Creates the invoice of a confirmed order once, and marks it as paid. */
  follow(order: Order, now: number): void {
    const { invoice, paymentStatus } = handlingOf(order)
    const status = paymentStatus === 'paid' ? 'paid' : 'not_paid'
    const made = this.table.get(this.#ofOrders.get(order.id) ?? 0)
    if (made) {
      if (made.status !== status) this.table.set({ ...made, status })
      return
    }
    if (invoice !== 'made') return
    const { incl: amount } = order.amounts
    const lines = [{ title: `Order ${order.number}`, amount }]
    this.add({ for: 'customer', orderId: order.id, lines, status, createdAt: now })
  }
}

/** `cancelled`: the merchant declined or cancelled it, or an upgrade replaced it. */
export type ChargeStatus = 'pending' | 'active' | 'cancelled' | 'expired'

/** A charge of the merchant (spec 2.3). Times are in milliseconds since 1970. */
export interface Charge {
  id: number
  type: ChargeType
  title: string
  price: Decimal
  callbackUrl: string
  /** The charge that this one replaces once it is approved. */
  upgradeFrom: number | undefined
  status: ChargeStatus
  /** Proves that a caller is the merchant. */
  token: string
  createdAt: number
  updatedAt: number
  activeFrom: number | undefined
  activeUntil: number | undefined
  /** Set for a charge that is billed once. */
  billed: boolean
}

export type NewCharge = Pick<Charge, 'type' | 'title' | 'price' | 'callbackUrl' | 'upgradeFrom'>

interface ChargingShop {
  invoices: Invoices
  clock: MovingClock
  switches: Switches
}

/** The charges of the merchant: approval, expiry and the monthly invoice (spec 3.2). */
export class Charges {
  readonly #charges: Table<Charge>
  /** Stores the time up to which the merchant was billed. */
  readonly #billed: Table<{ id: number; until: number }>
  readonly #shop: ChargingShop

  constructor(state: State, shop: ChargingShop) {
    this.#charges = state.table('charge')
    this.#billed = state.table('billed')
    this.#shop = shop
    if (!this.#billed.get(1)) this.#billed.set({ id: 1, until: monthOf(shop.clock.now()) })
  }

  all(): Charge[] {
    this.settle()
    return this.#charges.all()
  }

  get(id: number): Charge | undefined {
    this.settle()
    return this.#charges.get(id)
  }

  /** Throws `ARGUMENT_INVALID` when there is nothing to upgrade from. */
  create(charge: NewCharge): Charge {
    this.settle()
    const from = charge.upgradeFrom === undefined ? undefined : this.#charges.get(charge.upgradeFrom)
    if (charge.upgradeFrom !== undefined && (from?.status !== 'active' || from.type !== 'recurring'))
      throw wrongCall('appSubscriptionId is not an active recurring charge')
    const now = this.#shop.clock.now()
    return this.#charges.set({
      ...charge,
      id: this.#charges.nextId(),
      status: 'pending',
      token: randomBytes(18).toString('base64url'),
      ...{ createdAt: now, updatedAt: now, activeFrom: undefined, activeUntil: undefined, billed: false },
    })
  }

  /** The merchant approves or declines it. Resolves with its state; a decided charge stays unchanged. */
  decide(id: number, approved: boolean): Charge | undefined {
    const charge = this.get(id)
    if (charge?.status !== 'pending') return charge
    const now = this.#shop.clock.now()
    if (!approved) return this.#charges.set({ ...charge, status: 'cancelled', updatedAt: now })
    const before = charge.upgradeFrom === undefined ? undefined : this.#charges.get(charge.upgradeFrom)
    // The old charge was active until now (spec 3.2): each is billed for its days.
    if (before?.status === 'active')
      this.#charges.set({ ...before, status: 'cancelled', activeUntil: now, updatedAt: now })
    return this.#charges.set({ ...charge, status: 'active', activeFrom: now, updatedAt: now })
  }

  /** The merchant cancels it: one that waits is declined, and an active recurring one ends now. Any other stays unchanged. */
  cancel(id: number): Charge | undefined {
    const charge = this.get(id)
    if (charge?.status !== 'active' || charge.type !== 'recurring') return this.decide(id, false)
    const now = this.#shop.clock.now()
    return this.#charges.set({ ...charge, status: 'cancelled', activeUntil: now, updatedAt: now })
  }

  remove(id: number): boolean {
    if (this.get(id)?.status !== 'pending') return false
    this.#charges.delete(id)
    return true
  }

  /** Brings all charges up to date: expires them and creates the invoices of past months. */
  settle(): void {
    const now = this.#shop.clock.now()
    const expiresAfter = Number.parseInt(this.#shop.switches.values.chargeExpiry, 10) * 3_600_000
    for (const charge of this.#charges.all()) {
      const expiresAt = charge.createdAt + expiresAfter
      if (charge.status === 'pending' && expiresAt <= now)
        this.#charges.set({ ...charge, status: 'expired', updatedAt: expiresAt })
    }
    for (let from = this.#billed.get(1)!.until; nextMonth(from) <= now; from = nextMonth(from))
      this.#bill(from, nextMonth(from))
  }

  #bill(from: number, until: number): void {
    this.#billed.set({ id: 1, until })
    const lines = this.#charges.all().flatMap((charge) => {
      const amount = charge.type === 'recurring' ? shareOf(charge, from, until) : onceOf(charge, until)
      return decimal(amount).gt(0) ? [{ charge, line: { title: charge.title, amount } }] : []
    })
    if (lines.length === 0) return
    for (const { charge } of lines)
      if (charge.type === 'onetime') this.#charges.set({ ...charge, billed: true })
    const invoice = { for: 'merchant', orderId: undefined, status: 'not_paid', createdAt: until } as const
    this.#shop.invoices.add({ ...invoice, lines: lines.map(({ line }) => line) })
  }
}

const onceOf = ({ activeFrom, billed, price }: Charge, until: number): Decimal =>
  !billed && activeFrom !== undefined && activeFrom < until ? decimal(price).toFixed(2) : '0'

function shareOf(charge: Charge, from: number, until: number): Decimal {
  const { activeFrom, activeUntil = Number.POSITIVE_INFINITY, price } = charge
  if (activeFrom === undefined) return '0'
  const active = Math.min(activeUntil, until) - Math.max(activeFrom, from)
  if (active <= 0) return '0'
  const share = decimal(price)
    .times(active)
    .div(until - from)
  return share.toFixed(2)
}

/** The start of a month: of the one of this instant, or of the next one. */
function monthOf(at: number, ahead = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1)
}
const nextMonth = (start: number) => monthOf(start, 1)
