import { randomInt } from 'node:crypto'
import { type Need, needableFields, neededFields, onlyNeeded } from '../adapters/needs.ts'
import type { AnyPaymentAdapter, AnyRateAdapter } from '../any-adapter.ts'
import {
  paymentStartReader,
  readMessage,
  shipmentEstimateReader,
  shipmentMethodsReader,
} from '../contract/index.ts'
import { checkoutBody, estimateBody, paymentBody } from '../messages/bodies.ts'
import type { MessageOptions, PaymentBodyOptions } from '../messages/options.ts'
import { roundToCurrency } from '../money/index.ts'
import type { StartContext, StartRequest } from '../payments/adapter.ts'
import type {
  AttemptContext,
  PaymentAttempt,
  PaymentContext,
  PushContext,
} from '../payments/adapter-context.ts'
import { learn } from '../payments/ledger/moves.ts'
import { openAttempt } from '../payments/ledger/open.ts'
import type { Payment } from '../payments/ledger/payment.ts'
import { type PaymentMode, readReports, type Statement } from '../payments/ledger/report.ts'
import {
  asQuoteRequest,
  type InnerAdapter,
  type InnerQuestion,
  none,
  type PrepareContext,
  type QuoteRequest,
  type RateAnswer,
  type RateContext,
} from '../rates/adapter.ts'
import { withPromises } from '../rates/method-promises.ts'
import { parcelsOf } from '../rates/parcels/parcels.ts'
import type { Units } from '../rates/parcels/units.ts'
import type { Log } from '../world.ts'

const allNeeds = Object.entries(needableFields).flatMap(([part, fields]) =>
  fields.map((field) => `${part}.${field}` as Need),
)
const nothing = () => {}
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The surroundings of an adapter under test, in place of a provider. */
export interface Surroundings {
  /** The settings of the shop, read with the adapter's `settings` schema. */
  settings?: unknown
  /** The shop's units. Default grams and cubic centimetres. */
  units?: Units
  /** Default: the global one. */
  fetch?: typeof fetch
}

type AnyAdapter = AnyRateAdapter | AnyPaymentAdapter
type Changes = Surroundings & { signal?: AbortSignal }

const common = ({ settings, ...changes }: Changes, adapter: AnyAdapter) => ({
  ...prepareContext(changes),
  shop: { id: 'default' },
  settings: adapter.settings ? adapter.settings.parse(settings ?? {}) : settings,
})

/** A rate adapter's context. */
export function rateContext(adapter: AnyRateAdapter, surroundings: Changes = {}): RateContext {
  const { units = { weight: 'g', volume: 'cm3' } } = surroundings
  const ctx: RateContext = {
    ...common(surroundings, adapter),
    sharedFetch: surroundings.fetch ?? fetch,
    after(ms, call) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    none,
    units,
    explain: nothing,
    parcels: (quote, rules) => parcelsOf(quote, units, rules),
    ask: (inner, question) => askInner(ctx, inner, question),
  }
  return ctx
}

/** Asks an adapter that another one holds, without a cache and a breaker. */
async function askInner(
  ctx: RateContext,
  { adapter, settings }: InnerAdapter,
  question: InnerQuestion,
): Promise<RateAnswer> {
  const own = settings ? Object.assign({ ...ctx }, { settings: settings(adapter) }) : ctx
  const promising = (answer: RateAnswer, { country }: { country?: string }) =>
    withPromises(adapter, answer, { country }, own)
  try {
    if ('estimate' in question && typeof adapter.estimate === 'function') {
      const { estimate } = question
      return await promising(await adapter.estimate(estimate, own), estimate.shipping_address)
    }
    const asked = 'estimate' in question ? asQuoteRequest(adapter, question.estimate) : question.quote
    const request: QuoteRequest<'shipping_address.country'> = onlyNeeded(
      adapter,
      neededFields([{ needs: allNeeds }]),
    )(asked) as never
    return await promising(await adapter.quote(request as never, own), request.shipping_address)
  } catch (error) {
    if (!adapter.fallback || ctx.signal.aborted) throw error
    return askInner(ctx, { adapter: adapter.fallback, settings }, question)
  }
}

export const prepareContext = (surroundings: Changes = {}): PrepareContext => ({
  signal: surroundings.signal ?? new AbortController().signal,
  fetch: surroundings.fetch ?? fetch,
  now: Date.now,
  log: silent,
})

export const paymentContext = (adapter: AnyPaymentAdapter, surroundings: Changes = {}): PaymentContext =>
  common(surroundings, adapter)

/** A push's context that knows one attempt. */
export const pushContext = (
  adapter: AnyPaymentAdapter,
  attempt: PaymentAttempt,
  surroundings: Changes = {},
): PushContext => ({
  ...common(surroundings, adapter),
  attempt: async (ref) => (names(ref, attempt) ? attempt : undefined),
})

/** Whether a push that says this is about the attempt. */
export const names = (ref: object, { reference, id }: PaymentAttempt): boolean =>
  'reference' in ref ? ref.reference === reference : 'attemptId' in ref && ref.attemptId === id

/** `learned` are the adapter's reports: `report` answers as the provider's does. */
export function attemptContext(
  adapter: AnyPaymentAdapter,
  attempt: PaymentAttempt,
  surroundings: Changes = {},
): AttemptContext & { learned: readonly Statement[] } {
  const learned: Statement[] = []
  const ctx = common(surroundings, adapter)
  const { mode = 'test' } = adapter
  let payment = paymentOf(adapter, attempt, typeof mode === 'function' ? mode(ctx.settings) : mode)
  return {
    ...ctx,
    learned,
    async report(reports) {
      const statements = readReports(reports)
      learned.push(...statements)
      payment = learn(payment, attempt.id, statements, { source: 'report', now: Date.now() }).payment
      return payment.status
    },
  }
}

function paymentOf(adapter: AnyPaymentAdapter, given: PaymentAttempt, mode: PaymentMode): Payment {
  const { id, reference: _, data: __, language = '', ...attempt } = given
  const now = Date.now()
  return openAttempt(undefined, {
    ...attempt,
    language,
    adapter: adapter.name,
    mode,
    authorisedIsPaid: adapter.authorisedIsPaid ?? false,
    underpaidBy: undefined,
    redirectUrl: '',
    webhookUrl: '',
    now,
    attemptId: id,
    pageHash: '',
    expiresAt: now + 3_600_000,
    checkAt: now,
  }).payment
}

export const startContext = (
  adapter: AnyPaymentAdapter,
  attempt: PaymentAttempt,
  surroundings: Changes = {},
): StartContext => ({
  ...attemptContext(adapter, attempt, surroundings),
  returnUrl: 'https://provider.example/p/return',
  pushUrl: adapter.push && `https://provider.example/n/${adapter.name}/token`,
})

/** The checkout's request as an adapter gets it: in the clean shape, with the declared fields only. */
export function checkoutRequest(adapter: AnyAdapter, options: MessageOptions = {}, change: Change = nothing) {
  const body = checkoutBody(options)
  change(body)
  const needed = neededFields([adapter])
  return onlyNeeded(adapter, needed)(readMessage(shipmentMethodsReader(needed), body))
}

export const estimateRequest = (options: MessageOptions = {}) =>
  readMessage(shipmentEstimateReader, estimateBody(options))

// biome-ignore lint/suspicious/noExplicitAny: cases change messages freely
type Change = (body: any) => void

// biome-ignore lint/suspicious/noExplicitAny: any set of needs
export type AnyStart = StartRequest<any>

/** The start of a payment as an adapter gets it, each with an idempotency key of its own. */
export function startRequest(adapter: AnyPaymentAdapter, options: PaymentBodyOptions): AnyStart {
  const number = randomInt(1_000, 2 ** 31)
  const body = paymentBody({ id: number, ...options })
  const needed = neededFields([adapter])
  const request = onlyNeeded(adapter, needed)(readMessage(paymentStartReader(needed), body))
  const { order, payment_method: method, customer, billing_address = {}, shipping_address = {} } = request
  return {
    id: `default.${number}`,
    shopId: 'default',
    orderId: order.id,
    orderNumber: order.number,
    methodId: method.id ?? method.method ?? '',
    amount: roundToCurrency(order.price_incl, order.currency),
    currency: order.currency,
    language: 'nl',
    idempotencyKey: `key-${number}-${Date.now()}`,
    reference: undefined,
    order,
    method,
    customer,
    billing_address,
    shipping_address,
  } as AnyStart
}
