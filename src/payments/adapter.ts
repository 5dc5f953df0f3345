import type { z } from 'zod'
import type { DefaultNeed, Disclosure, Need, PersonalData } from '../adapters/call-adapter.ts'
import type { LocalText } from '../adapters/offered-methods.ts'
import type { Brand } from '../brand/brand.ts'
import type { Order, PaymentMethodsRequest, Quote, ShopDetails } from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { NoMethods, RateContext } from '../rates/adapter.ts'
import type { AdapterNetwork, MaybePromise } from '../world.ts'
import type {
  AttemptContext,
  PaymentAttempt,
  PaymentContext,
  PaymentPage,
  PushReader,
  ReturnReader,
} from './adapter-context.ts'
import type { PaymentMode, PaymentReports } from './ledger/report.ts'

/** The checkout's request (spec 4.3), with the personal fields that the adapter declared in `needs`. */
export type MethodsRequest<N extends Need = DefaultNeed> = PersonalData<N> & {
  shop: ShopDetails
  quote: Quote
  /** The platform's id of the checkout. Not set where it sends none. */
  checkout_id?: PaymentMethodsRequest['checkout_id']
}

/** A payment method as a payment adapter offers it (spec 2.6). Without price fields it is free. */
export interface OfferedPaymentMethod {
  /** The id of the method: the same every time. */
  id: string | number
  /** One text, or one for each language. */
  title: LocalText
  /** The price of the method for the customer with tax, in the shop's currency. Default 0. */
  price_incl?: Decimal | number
  /** The same without tax, in the shop's currency. Default 0. */
  price_excl?: Decimal | number
  /** A fraction: `'0.21'` is 21 %. Default 0. */
  tax_rate?: Decimal | number
  /** The currency of the price. Default: the shop's. A method with a price in another currency is left out. */
  currency?: string
  /** A known icon name such as `banktransfer`, or the https address of an image of 50 by 32 pixels. */
  icon?: string
  /** The customer pays after having received the package. */
  post_payment?: boolean
  /** The provider sends the invoice; the platform creates none. */
  invoice_external?: boolean
  /** Kept with the order by the platform, hidden from the customer. */
  data?: Record<string, unknown>
}

/** The payment to start: with the order, the data of the chosen method and the declared personal fields. */
export type StartRequest<N extends Need = DefaultNeed> = PaymentAttempt &
  PersonalData<N> & {
    order: Order
    /** The chosen method: its title and the data that the customer entered. */
    method: { id?: string; method?: string; title?: string; data: Record<string, unknown> }
  }

/**
 * The next step of a started payment. The customer pays on the payment service's own page (`redirect`, https), on the page of this adapter
 * (`page`), or without a page (`later`). `refused` cancels the attempt, and the customer may choose again.
 */
export type Started = {
  /** The payment service's own id, of this payment alone: a push about a reference that two orders have would pay either. */
  reference?: string
  expiresAt?: Date
  /** Kept sealed with the attempt for `status`, `cancel`, `page` and `push`: JSON of at most 4 KiB. */
  data?: unknown
} & ({ redirect: string; urlExpiresAt?: Date } | { page: true } | { later: true } | { refused: string })

/** The last argument of `start`, with the addresses for the payment service. */
export interface StartContext<S = unknown> extends AttemptContext<S> {
  /** The address to give to a payment service: it sends the customer back to the shop. */
  returnUrl: string
  /** The address for the payment service's pushes. Set with `push`. */
  pushUrl: string | undefined
}

/** A refund or a capture to ask the payment service for. `amount` is in the attempt's currency, with its digits. */
export interface MoneyMoveRequest {
  amount: Decimal
  currency: string
  idempotencyKey: string
}

/** Asks a payment service for a refund or a capture. After an error its outcome is unknown, and the same key is asked again. */
export type MoneyMove<S = unknown> = (
  attempt: PaymentAttempt,
  request: MoneyMoveRequest,
  ctx: PaymentContext<S>,
) => MaybePromise<PaymentReports | { refused: string }>

/** Lists payment methods, starts payments and can report their status. Each optional member is a capability. */
export interface PaymentAdapter<N extends Need = DefaultNeed, S = unknown> {
  name: string
  /** The personal fields it reads. Without it: country, region and zipcode of both addresses. */
  needs?: readonly N[]
  /** Its methods for this checkout, or `ctx.none('why')`. One that fails is left alone for a while, as a rate adapter is. */
  methods(
    request: MethodsRequest<N>,
    ctx: PaymentContext<S> & Pick<RateContext, 'none'>,
  ): MaybePromise<OfferedPaymentMethod[] | NoMethods>
  /**
   * Whether it moves real money, or a function of a shop's settings that says so: test and live shops side by side. Default: `live` in
   * production, `test` in development and with `developmentOnly`. Reports of the other mode do not count.
   */
  mode?: PaymentMode | ((settings: S) => PaymentMode)
  /** Production leaves it out, and does not start without another adapter. For a substitute of a real payment service. */
  developmentOnly?: boolean
  /**
   * When the outcome of a call is unknown (it threw, took too long, or the process died), a repeat within `idempotency.ttl` calls it again
   * with the same `idempotencyKey`. After that, or without `idempotency`, `find` looks up the payment. If there is none, a new attempt
   * begins; without `find` the attempt is given up as `start_unknown` first.
   */
  start(attempt: StartRequest<N>, ctx: StartContext<S>): MaybePromise<Started>
  /** Reads the status at the payment service. */
  status?(attempt: PaymentAttempt, ctx: PaymentContext<S>): MaybePromise<PaymentReports>
  /**
   * The most calls of `status` that the background makes in a day, over all shops and nodes, spread over its hours. Default: no limit.
   * After a 429 of the payment service to `ctx.fetch`, Purveyor does not ask for this shop until the `Retry-After` is over, a day at most.
   */
  asksPerDay?: number
  /** Pushes of the payment service. */
  push?: PushReader<S>
  /** Closes an attempt that was replaced, has expired, or whose order is paid. Returning nothing means that it is cancelled. */
  cancel?(attempt: PaymentAttempt, ctx: PaymentContext<S>): MaybePromise<PaymentReports | undefined>
  /**
   * Sends money of an attempt back, with a key that is on disk and the same for a repeat. Returns what it did: `refunded` with the service's
   * own id of the refund as `event`, also where the money leaves later; `refund_failed` of that event may follow. A service that declines is
   * `{ refused: why }`. After an error the outcome is unknown, and a repeat asks with the same key.
   */
  refund?: MoneyMove<S>
  /** Captures authorised money of an attempt in the same way, and returns `paid` with the id of the capture. */
  capture?: MoneyMove<S>
  /** The payment service supports idempotency keys. Default: it does not. */
  idempotency?: {
    /** How long the payment service remembers a key, in milliseconds. */
    ttl: number
  }
  /** Looks up the payment that a start with this key created; `undefined` if there is none. */
  find?(idempotencyKey: string, ctx: StartContext<S>): MaybePromise<Started | undefined>
  /** A page of its own, for `start` that returns `{ page: true }`. Default: none. */
  page?: PaymentPage<S>
  /** Reads the result that the payment service sends along with a customer who comes back. */
  returned?: ReturnReader<S>
  /**
   * Files that wallets ask for at the root of the host, such as
   * `{ 'apple-developer-merchantid-domain-association': './apple-domain' }`: plain names with their paths. A router that is mounted below a
   * path cannot serve them.
   */
  wellKnown?: Readonly<Record<string, string | URL>>
  /** How its pages look where a shop has no brand of its own. Default: the provider's. */
  brand?: Brand
  /** The schema of settings per shop. If it reads `{}`, shops without settings get its defaults. */
  settings?: z.ZodType<S>
  /** The recipients of personal fields, for the merchant's privacy policy. */
  privacy?: Disclosure
  /** Permissions of its `ctx.fetch` beyond those of every adapter. */
  network?: AdapterNetwork
  /** Whether `start` is called for an order of 0.00, for instance to keep a card. Default: such an order is paid at once, without a call. */
  startsAtZero?: boolean
  /** Whether money that is authorised but not captured counts as paid. Default: it is pending. */
  authorisedIsPaid?: boolean
  /**
   * So much less than the amount still pays an order, in its currency, such as `'0.50'`; or a function of a shop's settings that says so. It
   * counts where it is at most half of the order. Default: nothing.
   */
  underpaidBy?: Decimal | ((settings: S) => Decimal)
}

/**
 * Returns the adapter unchanged. The types of its requests and of `ctx.settings` follow from its `needs` and `settings`: a field that it
 * does not declare does not compile.
 */
export const paymentAdapter = <N extends Need = DefaultNeed, S = unknown>(
  adapter: PaymentAdapter<N, S>,
): PaymentAdapter<N, S> => adapter
