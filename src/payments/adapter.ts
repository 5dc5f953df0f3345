import type { z } from 'zod'
import type { Order, PaymentMethodsRequest, PaymentStatus, Quote, ShopDetails } from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { Disclosure } from '../privacy/disclosure.ts'
import type { DefaultNeed, Need, PersonalData } from '../privacy/needs.ts'
import type { AdapterNetwork, Log, MaybePromise } from '../world.ts'
import type { PaymentMode, PaymentReport } from './facts.ts'
import type { Attempt } from './payment.ts'

/** The checkout's question (spec 4.3), with the personal fields the adapter declared in `needs`. */
export type MethodsRequest<N extends Need = DefaultNeed> = PersonalData<N> & {
  shop: ShopDetails
  quote: Quote
  checkout_id?: PaymentMethodsRequest['checkout_id']
}

/** A payment method as a payment adapter offers it (spec 2.6). Without price fields it costs nothing. */
export interface OfferedPaymentMethod {
  id: string | number
  title: string
  price_incl?: Decimal | number
  price_excl?: Decimal | number
  /** A fraction: `'0.21'` is 21 %. */
  tax_rate?: Decimal | number
  /** A known icon name such as `banktransfer`, or the https address of an image of 50 by 32 pixels. */
  icon?: string
  /** The customer pays after having received the package. */
  post_payment?: boolean
  /** The provider sends the invoice; the platform makes none. */
  invoice_external?: boolean
  /** Kept with the order by the platform, hidden from the customer. */
  data?: Record<string, unknown>
}

/** What an adapter sees of an attempt. `amount` is rounded to the digits of `currency`. */
export type PaymentAttempt = Pick<
  Attempt,
  | 'id'
  | 'shopId'
  | 'orderId'
  | 'orderNumber'
  | 'methodId'
  | 'amount'
  | 'currency'
  | 'language'
  | 'idempotencyKey'
> & {
  /** What the payment service calls it, as `start` returned it. */
  reference: string | undefined
}

/** The payment as it is started: with the order, the chosen method's data and the declared personal fields. */
export type StartRequest<N extends Need = DefaultNeed> = PaymentAttempt &
  PersonalData<N> & {
    order: Order
    /** The chosen method: its title, and what the customer filled in for it. */
    method: { id?: string; method?: string; title?: string; data: Record<string, unknown> }
  }

/**
 * How a started payment goes on: on the payment service's own page (`redirect`, https), on the page of this adapter
 * (`page`), without a page (`later`), or not at all (`refused`: the attempt is cancelled and the customer may choose again).
 */
export type Started = { reference?: string; expiresAt?: Date } & (
  | { redirect: string; urlExpiresAt?: Date }
  | { page: true }
  | { later: true }
  | { refused: string }
)

export interface PaymentContext<S = unknown> {
  /** `id` is this provider's own name for the shop. */
  shop: { id: string }
  /** What is set for this shop, as the adapter's `settings` read it. Throws where that does not fit the schema. */
  settings: S
  /** Aborted when the answer is no longer waited for. */
  signal: AbortSignal
  /** Guarded: https only, no private addresses, aborted with the signal. */
  fetch: typeof fetch
  now(): number
  log: Log
}

export interface AttemptContext<S = unknown> extends PaymentContext<S> {
  /**
   * Reports how this attempt's payment stands, also long after the call has returned: everything else follows. On disk when it resolves
   * with the payment's status; repeating a report is harmless. Rejects with `UNKNOWN_PAYMENT` where the payment has been erased.
   */
  report(report: PaymentReport): Promise<PaymentStatus>
}

export interface StartContext<S = unknown> extends AttemptContext<S> {
  /** Our address to hand to a payment service: it sends the customer back to the shop. */
  returnUrl: string
  /** Our address for the payment service's pushes. Only with `push`. */
  pushUrl: string | undefined
}

/** What a payment service sent to `pushUrl`, as it came. */
export interface PaymentPush {
  /** The very bytes that its signature is over. */
  body: Buffer
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Behind the question mark, without it. */
  query: string
}

/** What a push says about one attempt. Without a report the adapter's `status` is asked. */
export type PushedReport = ({ reference: string } | { attemptId: string }) & { report?: PaymentReport }

/**
 * Takes a payment service's pushes. Anyone can send one, so it is verified, or it only says whom to ask: with
 * `confirm: 'status'` its reports are left aside and the adapter's `status` is asked.
 */
export type PushReader<S = unknown> = {
  /** Which attempts the push is about, and what it says of them. Called again when a push is repeated. */
  read(push: PaymentPush): MaybePromise<PushedReport | readonly PushedReport[]>
} & (
  | {
      /** Whether the payment service itself sent it. */
      verify(push: PaymentPush, ctx: PaymentContext<S>): MaybePromise<boolean>
      confirm?: undefined
    }
  | { confirm: 'status'; verify?: undefined }
)

/** A page of the adapter's own, shown in the shopper's language. See `html`. */
export interface PaymentPage<S = unknown> {
  /** The page's content. Forms on it post to the page's own address: leave out `action`. */
  render(page: PageView): MaybePromise<PageContent>
  /**
   * Handles a posted form: what was learned of the payment, or content to show again. Runs for live attempts only. A
   * shopper's click is no payment: report `paid` only where this code has seen the money itself.
   */
  submit(
    form: Record<string, string>,
    page: PageView & { ctx: AttemptContext<S> },
  ): MaybePromise<PaymentReport | { again: PageContent }>
}

export interface PageView {
  attempt: PaymentAttempt
  /** `en`, `nl`, `de`, `fr` or `es`. */
  language: string
  /** The amount as the customer reads it, such as `€ 29,34`. */
  amount: string
}

/** Made by `html`; escaped where it was put together. */
export type PageContent = { toString(): string } & { isEscaped?: true }

/** Lists payment methods, starts payments and can report how they stand. An optional member that is there is a capability. */
export interface PaymentAdapter<N extends Need = DefaultNeed, S = unknown> {
  name: string
  /** The personal fields it reads. Without it: country, region and zipcode of both addresses. */
  needs?: readonly N[]
  methods(request: MethodsRequest<N>, ctx: PaymentContext<S>): MaybePromise<OfferedPaymentMethod[]>
  /**
   * Whether it moves real money. Default: `live` in production, `test` in development and where it is `developmentOnly`. Reports of the
   * other mode count as nothing.
   */
  mode?: PaymentMode
  /** Production leaves it out, and does not start where no other adapter is left. For what stands in for a real payment service. */
  developmentOnly?: boolean
  /**
   * When the outcome of a call is unknown (it threw, took too long, or the process died), a repeat within `idempotency.ttl`
   * calls it again with the same `idempotencyKey`; after that, or without it, `find` is asked what it has made. Where that is
   * nothing a new attempt begins; with neither the attempt is given up as `start_unknown` first.
   */
  start(attempt: StartRequest<N>, ctx: StartContext<S>): MaybePromise<Started>
  /** Asks the payment service how the payment stands. */
  status?(attempt: PaymentAttempt, ctx: PaymentContext<S>): MaybePromise<PaymentReport>
  /** Pushes of the payment service. */
  push?: PushReader<S>
  /** Closes an attempt that another one has taken the place of. Nothing returned means it is cancelled. */
  cancel?(attempt: PaymentAttempt, ctx: PaymentContext<S>): MaybePromise<PaymentReport | undefined>
  /** The payment service takes an idempotency key and remembers it this long, in milliseconds. */
  idempotency?: { ttl: number }
  /** Looks up what a start with this key has made; `undefined` when it made nothing. */
  find?(idempotencyKey: string, ctx: StartContext<S>): MaybePromise<Started | undefined>
  page?: PaymentPage<S>
  /** What is set for each shop. A schema that reads `{}` gives shops that have set nothing its defaults. */
  settings?: z.ZodType<S>
  /** For the merchant's privacy policy: where the personal fields go. */
  privacy?: Disclosure
  /** What its `ctx.fetch` may do beyond what every adapter's may. */
  network?: AdapterNetwork
  /** Money that is authorised but not captured counts as paid. Default: it is pending. */
  authorisedIsPaid?: boolean
}

/**
 * The adapter as it is given. The types of its requests and of `ctx.settings` follow from its `needs` and `settings`: a field that it
 * does not declare does not compile.
 */
export const paymentAdapter = <N extends Need = DefaultNeed, S = unknown>(
  adapter: PaymentAdapter<N, S>,
): PaymentAdapter<N, S> => adapter

export const attemptView = (attempt: Attempt): PaymentAttempt => ({
  id: attempt.id,
  shopId: attempt.shopId,
  orderId: attempt.orderId,
  orderNumber: attempt.orderNumber,
  methodId: attempt.methodId,
  amount: attempt.amount,
  currency: attempt.currency,
  language: attempt.language,
  idempotencyKey: attempt.idempotencyKey,
  reference: attempt.started?.reference,
})
