import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { needableFields, neededFields, onlyNeeded } from '../adapters/call-adapter.ts'
import type { Units } from '../adapters/units.ts'
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
import type { StartRequest } from '../payments/adapter.ts'
import type { PaymentAttempt, PaymentContext } from '../payments/adapter-context.ts'
import { learn } from '../payments/ledger/moves.ts'
import { openAttempt } from '../payments/ledger/open.ts'
import { type PaymentReports, readReports, type Statement } from '../payments/ledger/report.ts'
import {
  asQuoteRequest,
  none,
  type PrepareContext,
  type QuoteRequest,
  type RateContext,
  withPromises,
} from '../rates/adapter.ts'
import { parcelsOf } from '../rates/parcels/parcels.ts'
import type { Log } from '../world.ts'

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

export const prepareContext = ({ signal, fetch = globalThis.fetch }: Changes): PrepareContext => ({
  signal: signal ?? new AbortController().signal,
  fetch,
  now: Date.now,
  log: silent,
})

export const contextOf = (adapter: AnyAdapter, { settings, ...changes }: Changes): PaymentContext => ({
  ...prepareContext(changes),
  shop: { id: 'default' },
  settings: adapter.settings ? adapter.settings.parse(settings ?? {}) : settings,
})

/** A rate adapter's context. It asks an adapter that another one holds without a cache and a breaker. */
export function rateContext(adapter: AnyRateAdapter, surroundings: Changes): RateContext {
  const { units = { weight: 'g', volume: 'cm3' } } = surroundings
  const ctx: RateContext = {
    ...contextOf(adapter, surroundings),
    sharedFetch: surroundings.fetch ?? fetch,
    after(ms, call) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    none,
    units,
    explain: nothing,
    parcels: (quote, rules) => parcelsOf(quote, units, rules),
    async ask({ adapter: inner, settings }, question) {
      const own = settings ? Object.assign({ ...ctx }, { settings: settings(inner) }) : ctx
      try {
        if ('estimate' in question && typeof inner.estimate === 'function') {
          const answer = await inner.estimate(question.estimate, own)
          return await withPromises(inner, answer, question.estimate.shipping_address, own)
        }
        const asked = 'estimate' in question ? asQuoteRequest(inner, question.estimate) : question.quote
        const request = onlyNeeded(inner, needableFields)(asked as QuoteRequest<'shipping_address.country'>)
        const answer = await inner.quote(request as never, own)
        return await withPromises(inner, answer, request.shipping_address, own)
      } catch (error) {
        if (!inner.fallback || ctx.signal.aborted) throw error
        return ctx.ask({ adapter: inner.fallback, settings }, question)
      }
    },
  }
  return ctx
}

export const pushContext = (adapter: AnyPaymentAdapter, attempt: PaymentAttempt, surroundings: Changes) => ({
  ...contextOf(adapter, surroundings),
  attempt: async (ref: object) => (names(ref, attempt) ? attempt : undefined),
})

export async function hasNameAndNeeds({ adapter }: { adapter: AnyAdapter }): Promise<void> {
  assert.match(adapter.name, /^[a-z0-9][\w-]*$/i)
  neededFields([adapter])
}

export const names = (ref: object, { reference, id }: PaymentAttempt): boolean =>
  'reference' in ref ? ref.reference === reference : 'attemptId' in ref && ref.attemptId === id

/** `learned` are the adapter's reports: `report` answers as the provider's does. */
export function attemptContext(adapter: AnyPaymentAdapter, attempt: PaymentAttempt, surroundings: Changes) {
  const learned: Statement[] = []
  const ctx = contextOf(adapter, surroundings)
  const { mode = 'test', name, authorisedIsPaid = false } = adapter
  const { id, reference: _, data: __, language = '', ...given } = attempt
  const now = Date.now()
  let { payment } = openAttempt(undefined, {
    ...given,
    ...{ language, adapter: name, authorisedIsPaid, underpaidBy: undefined },
    mode: typeof mode === 'function' ? mode(ctx.settings) : mode,
    ...{ redirectUrl: '', webhookUrl: '', pageHash: '', attemptId: id },
    ...{ now, expiresAt: now + 3_600_000, checkAt: now },
  })
  return {
    ...ctx,
    learned,
    async report(reports: PaymentReports) {
      const statements = readReports(reports)
      learned.push(...statements)
      payment = learn(payment, id, statements, { source: 'report', now: Date.now() }).payment
      return payment.status
    },
  }
}

export const startContext = (adapter: AnyPaymentAdapter, attempt: PaymentAttempt, surroundings: Changes) => ({
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
    ...{ id: `default.${number}`, shopId: 'default', orderId: order.id, orderNumber: order.number },
    methodId: method.id ?? method.method ?? '',
    amount: roundToCurrency(order.price_incl, order.currency),
    ...{ currency: order.currency, language: 'nl', reference: undefined },
    idempotencyKey: `key-${number}-${Date.now()}`,
    ...{ order, method, customer, billing_address, shipping_address },
  } as AnyStart
}
