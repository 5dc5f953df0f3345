import type { z } from 'zod'
import type { LocalText } from '../adapters/local-text.ts'
import type { DefaultNeed, Disclosure, Need, PersonalData } from '../adapters/needs.ts'
import type { Brand } from '../brand/brand.ts'
import type { Order, PaymentMethodsRequest, PaymentStatus, Quote, ShopDetails } from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { NoMethods, RateContext } from '../rates/adapter.ts'
import type { AdapterNetwork, Log, MaybePromise } from '../world.ts'
import type { Attempt } from './ledger/payment.ts'
import type { PaymentMode, PaymentReports } from './ledger/report.ts'
import type { FormState, PageAllow, PageContent, PageForm } from './pages/page-form.ts'

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

/** An attempt as adapters see it. `amount` is rounded to the digits of `currency`. */
export type PaymentAttempt = Pick<
  Attempt,
  'id' | 'shopId' | 'orderId' | 'orderNumber' | 'methodId' | 'amount' | 'currency' | 'idempotencyKey'
> & {
  /** The language of the order; not set where the platform does not name it. */
  language: string | undefined
  /** The payment service's reference, as `start` returned it. */
  reference: string | undefined
  /** The data that `start` kept with it. */
  data: unknown
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

/** The last argument of each function of a payment adapter. */
export interface PaymentContext<S = unknown> {
  /** `id` is this provider's own name for the shop. */
  shop: { id: string }
  /** The settings of this shop, read with the adapter's `settings`. Throws if they do not match the schema. */
  settings: S
  /** Aborted when the caller no longer waits. */
  signal: AbortSignal
  /** Guarded: https only, no private addresses, aborted with the signal. */
  fetch: typeof fetch
  now(): number
  log: Log
}

/** The context of calls about one attempt, which can report its status. */
export interface AttemptContext<S = unknown> extends PaymentContext<S> {
  /**
   * Reports the status of this attempt, also long after the call has returned: everything else follows. Resolves with the payment's status
   * once it is on disk; repeating a report is harmless. Rejects with `UNKNOWN_PAYMENT` if the payment was erased.
   */
  report(report: PaymentReports): Promise<PaymentStatus>
}

/** The last argument of `start`, with the addresses for the payment service. */
export interface StartContext<S = unknown> extends AttemptContext<S> {
  /** The address to give to a payment service: it sends the customer back to the shop. */
  returnUrl: string
  /** The address for the payment service's pushes. Set with `push`. */
  pushUrl: string | undefined
}

/** The last argument of `page.submit`. */
export interface SubmitContext<S = unknown> extends AttemptContext<S> {
  /** The address to give to a bank: it sends the customer back. */
  returnUrl: string
  /** Another one for each form of an attempt, for a payment service that remembers what was asked. */
  idempotencyKey: string
}

/** A request to `pushUrl`, by POST or GET, unchanged. */
export interface PaymentPush {
  /** The exact bytes that its signature covers. Empty with GET. */
  body: Buffer
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** The query, without the question mark. */
  query: string
}

/** The context that a payment adapter gets beside a push. */
export interface PushContext<S = unknown> extends PaymentContext<S> {
  /** The attempt of this shop and adapter that has a reference or an id; `undefined` if there is none. */
  attempt(ref: { reference: string } | { attemptId: string }): Promise<PaymentAttempt | undefined>
}

/** The answer that a payment service expects once its push is on disk, such as `[accepted]`. */
export interface PushAnswer {
  /** The HTTP status. Default 200. */
  status?: number
  /** Plain text. Default: empty. */
  body?: string
}

/** A push about one attempt. Without a report `status` is called. `ignored` says why it is about no payment here: 200 characters are kept. */
export type PushedReport =
  | (({ reference: string } | { attemptId: string }) & { report?: PaymentReports })
  | { ignored: string }

/**
 * Whose a push is: the id of a shop, a payment of one shop alone, or nobody's here. An early push, before `start` returned its reference, is
 * found by its shop alone.
 */
export type PushOwner = { shop: string } | { reference: string } | { attemptId: string } | { ignored: string }

/**
 * Receives a payment service's pushes. Anyone can send one, so `verify` checks it, or with `confirm: 'status'` its reports are ignored and
 * Purveyor calls the adapter's `status`.
 */
export type PushReader<S = unknown> = {
  /** Returns the attempts that the push is about, with their reports; an empty list is ignored too. Called again for a repeated push. */
  read(push: PaymentPush, ctx: PushContext<S>): MaybePromise<PushedReport | readonly PushedReport[]>
  /**
   * Makes one address for all shops of an account: returns whose a push at that address is. Its bytes are not verified yet: `verify` and `read`
   * are called next, with the settings of that shop. Default: each shop has an address of its own alone.
   */
  owner?(push: PaymentPush): PushOwner
  /** Default: 204 without a body. */
  answer?: PushAnswer
  /** Answers a GET by which a payment service checks the address: a text of 4,096 characters at most, and nothing for any other GET. */
  challenge?(push: PaymentPush, ctx: PushContext<S>): MaybePromise<string | undefined>
} & (
  | {
      /** Whether the payment service itself sent it. */
      verify(push: PaymentPush, ctx: PushContext<S>): MaybePromise<boolean>
      confirm?: undefined
    }
  | { confirm: 'status'; verify?: undefined }
)

/** The result of a form. */
export type Submitted =
  /** Its outcome: one report at least, and not only `open`. */
  | PaymentReports
  /**
   * The content to show again, with what is wrong with it; of more than 64 KiB the form is made anew. A text without `html` is escaped. Kept
   * sealed until the next form. With `step` nothing is wrong: it is the next step, and causes no pause.
   */
  | { again: PageContent; step?: boolean }
  /** The customer goes on to this https address: a bank, 3-D Secure. They come back to `ctx.returnUrl`. */
  | { redirect: string }

/**
 * A page of the adapter's own, shown in the customer's language. See `html` and `view.form`. Forms follow post-redirect-get: Back, a reload and
 * a second tab show where the customer is.
 */
export interface PaymentPage<S = unknown> {
  /** The page's content. Forms on it post to the page's own address: leave out `action`. */
  render(view: PageView, ctx: PaymentContext<S>): MaybePromise<PageContent>
  /**
   * Handles a posted form; a page without it takes none. Of a field that is sent twice, `form` has the last value. Runs for attempts that go on, one form at a time; that it
   * runs is on disk first. A customer's click is not a payment: report `paid` only if this code has verified the money itself. If it throws or
   * takes 30 seconds, the outcome is unknown: the customer reads not to pay again, and no form is shown before `status` says `open`. Without
   * `status` none is shown again. A later result still counts.
   */
  submit?(form: Record<string, string>, view: PageView, ctx: SubmitContext<S>): MaybePromise<Submitted>
  /**
   * The page shows a code or waits: it asks `status` every 3 to 30 seconds, is made anew, and leads back to the shop when the payment ends.
   * Needs `status`. What was typed on it is lost each time. Default false.
   */
  follows?: boolean
  /** The lines of the order that the page shows, from what `start` kept in `data`. */
  lines?(view: PageView): readonly PageLine[]
  /**
   * The most forms of an attempt, 1 to 30, and half of the most of an order. Then the attempt ends, with the anomaly `too_many_forms`. After
   * five that came to nothing the page pauses, from 1 s up to 5 min. Default 30.
   */
  mostForms?: number
  /** The foreign origins that the page may use. Default: none. */
  allow?: PageAllow
  /** A folder with scripts, styles and images of the page: a path, or a `file:` URL. */
  assets?: string | URL
  /** Texts of its own by two-letter language and key, for `view.text`. English stands in for a language that is missing. */
  texts?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A line of an order, as a page shows it. */
export interface PageLine {
  title: string
  /** Formatted, such as `€ 29,34`. */
  amount: string
}

/** A customer who comes back from the payment service, with what it sent along. */
export interface PaymentReturn {
  method: 'GET' | 'POST'
  /** Without the question mark. */
  query: string
  /** The exact bytes. Empty with GET. */
  body: Buffer
}

/** The last argument of the functions of `returned`. */
export interface ReturnContext<S = unknown> extends AttemptContext<S> {
  /** The attempt whose return this is. Compare its reference: data that is signed for another attempt must not count. */
  attempt: PaymentAttempt
}

/** Reads what a payment service sends along with the customer. Anybody can forge it: `verify` checks it, or `status` is asked instead. */
export type ReturnReader<S = unknown> = {
  /**
   * Returns reports, or nothing where it says nothing of the payment. `{ again: true }` offers the adapter's page again, once the service says
   * that the payment is open: a bank that refused, and a customer who may take another card.
   */
  read(
    request: PaymentReturn,
    ctx: ReturnContext<S>,
  ): MaybePromise<PaymentReports | { again: true } | undefined>
} & (
  | {
      /** Whether the payment service itself sent it, for this attempt. */
      verify(request: PaymentReturn, ctx: ReturnContext<S>): MaybePromise<boolean>
      confirm?: undefined
    }
  | { confirm: 'status'; verify?: undefined }
)

/** The page that `page.render` and `page.submit` get. */
export interface PageView {
  attempt: PaymentAttempt
  /** `en`, `nl`, `de`, `fr`, `es`, or one of `payments.texts`. */
  language: string
  /** The formatted amount, such as `€ 29,34`. */
  amount: string
  /** Formats another amount of the same currency, for `lines`. */
  money(amount: Decimal | number): string
  /** The text of a key in the page's language: of the adapter's `texts`, or one of ours. Another text is returned as it is. */
  text(key: string, values?: Record<string, string>): string
  /** The fields of a form, with what the customer entered before and what is wrong with it. */
  form(state?: FormState): PageForm
  /** The address of a file in `assets`. Throws a `TypeError` for one that is not there. */
  asset(name: string): string
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
