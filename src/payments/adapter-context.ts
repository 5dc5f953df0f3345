import type { PaymentStatus } from '../contract/index.ts'
import type { Decimal } from '../money/index.ts'
import type { Log, MaybePromise } from '../world.ts'
import type { Attempt } from './ledger/payment.ts'
import type { PaymentReports } from './ledger/report.ts'
import type { FormState, PageAllow, PageContent, PageForm } from './pages/page-form.ts'

// The functions of a payment adapter get these beside the payment: contexts, pushes, its page and those who come back.

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

/** The last argument of `page.submit`. */
export interface SubmitContext<S = unknown> extends AttemptContext<S> {
  /** The address to give to a bank: it sends the customer back. */
  returnUrl: string
  /** Another one for each form of an attempt: its key, `-` and a number. For a payment service that remembers what was asked. */
  idempotencyKey: string
}

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
