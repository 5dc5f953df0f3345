import { z } from 'zod'
import { type PaymentStartRequest, Problem } from '../contract/index.ts'
import { roundToCurrency } from '../money/index.ts'
import { attemptView, type StartContext, type Started, type StartRequest } from '../payments/adapter.ts'
import { routeMethod } from '../payments/methods.ts'
import { type Attempt, type AttemptStart, newAttemptId } from '../payments/payment.ts'
import type { Shop } from '../shops/shop.ts'
import { tokenBytes } from '../shops/tokens.ts'
import type { Log } from '../world.ts'
import { call, Deadline, DeadlinePassed } from './deadline.ts'
import { learnOf } from './learn-payment.ts'
import { paymentContext } from './list-payment-methods.ts'
import { cutFor } from './personal-data.ts'
import type { AnyPaymentAdapter, Provider } from './provider.ts'

const hour = 3_600_000
const day = 24 * hour

/** Starts that are under way in this process, by attempt: a repeated call waits for the first one's outcome. */
const underWay = new WeakMap<Provider, Map<string, Promise<Attempt>>>()

/**
 * Starts the payment of an order (spec 4.3 payment) and returns where the customer pays; without an address the customer
 * goes to the thank-you page. Four phases, so that a crash anywhere is finished by the platform's repeated call: (A) the
 * attempt with its idempotency key is on disk, (B) the adapter is called with that key, (C) its answer is on disk, (D) we
 * answer.
 */
export async function startPayment(
  provider: Provider,
  shop: Shop,
  request: PaymentStartRequest,
  log: Log,
): Promise<{ payment_url?: string }> {
  const { world, store } = provider
  const route = routeMethod(provider.payments, request.payment_method)
  if (!route) throw new Problem('METHOD_UNKNOWN')
  world.outgoing.check(request.webhook_url)

  const now = world.now()
  const { outcome, attempt } = await store.openAttempt({
    shopId: shop.id,
    orderId: request.order.id,
    orderNumber: request.order.number,
    ...route,
    amount: roundToCurrency(request.order.price_incl, request.order.currency),
    currency: request.order.currency,
    language: request.shop.language ?? shop.language ?? '',
    redirectUrl: request.redirect_url,
    webhookUrl: request.webhook_url,
    now,
    attemptId: newAttemptId(shop.id, world.token(12)),
    idempotencyKey: world.token(16),
    pageToken: world.token(tokenBytes),
    expiresAt: now + hour,
  })
  log.info({ shop: shop.id, order: attempt.orderId, attempt: attempt.id, outcome }, 'payment attempt')

  if (outcome === 'paid') return { payment_url: returnUrl(provider, attempt) }
  const started = attempt.started ? attempt : await startOnce(provider, attempt, request, log)
  return { payment_url: paymentUrl(provider, started) }
}

/** Where the customer goes when the payment service is done with them: our address, which leads on to the shop. */
export const returnUrl = (provider: Provider, attempt: Attempt): string =>
  `${pageUrl(provider, attempt)}/return`

const pageUrl = (provider: Provider, attempt: Attempt) => `${provider.publicUrl}/p/${attempt.pageToken}`

const paymentUrl = (provider: Provider, attempt: Attempt): string | undefined =>
  attempt.started?.how === 'page' ? pageUrl(provider, attempt) : attempt.started?.paymentUrl

function startOnce(
  provider: Provider,
  attempt: Attempt,
  request: PaymentStartRequest,
  log: Log,
): Promise<Attempt> {
  const starts = underWay.get(provider) ?? new Map<string, Promise<Attempt>>()
  underWay.set(provider, starts)
  const deadline = new Deadline(provider.world, provider.deadlines.start)
  let start = starts.get(attempt.id)
  if (!start) {
    // What comes back after the deadline is still noted: only the answer to this call is late.
    start = beginStart(provider, attempt, request, deadline, log).finally(() => starts.delete(attempt.id))
    starts.set(attempt.id, start)
  }
  return deadline.wait(start).catch((error: unknown) => {
    if (error instanceof DeadlinePassed) throw new Problem('PAYMENT_START_TIMEOUT', { cause: error })
    throw error
  })
}

async function beginStart(
  provider: Provider,
  attempt: Attempt,
  request: PaymentStartRequest,
  deadline: Deadline,
  log: Log,
): Promise<Attempt> {
  const adapter = provider.payments.find(({ name }) => name === attempt.adapter)
  let started: Started
  try {
    if (!adapter) throw new TypeError(`There is no payment adapter "${attempt.adapter}" any more`)
    const ctx: StartContext = Object.assign(paymentContext(provider, attempt.shopId, deadline, log), {
      returnUrl: returnUrl(provider, attempt),
    })
    const answer = await call(() =>
      adapter.start(startRequest(provider, adapter, attempt, request) as never, ctx),
    )
    started = checkStarted(provider, adapter, answer)
  } catch (error) {
    log.error(
      { shop: attempt.shopId, order: attempt.orderId, attempt: attempt.id, err: error },
      'payment start failed',
    )
    throw new Problem('PAYMENT_START_FAILED', { cause: error })
  }
  if ('refused' in started) {
    await learnOf(provider, attempt, { status: 'declined', detail: started.refused }, 'start', log)
    // The customer goes straight back; the shop reads `cancelled` and lets them choose again.
    return {
      ...attempt,
      started: { how: 'redirect', paymentUrl: returnUrl(provider, attempt), ...noDetails },
    }
  }
  const lasts = 'later' in started ? 14 * day : hour
  const expiresAt = started.expiresAt?.getTime() ?? provider.world.now() + lasts
  return provider.store.noteStart(
    attempt.shopId,
    attempt.orderId,
    attempt.id,
    attemptStart(started),
    expiresAt,
  )
}

const noDetails = { urlExpiresAt: undefined, reference: undefined }

function attemptStart(started: Exclude<Started, { refused: string }>): AttemptStart {
  const { reference } = started
  if ('page' in started) return { ...noDetails, how: 'page', paymentUrl: undefined, reference }
  if ('later' in started) return { ...noDetails, how: 'later', paymentUrl: undefined, reference }
  return {
    how: 'redirect',
    paymentUrl: started.redirect,
    urlExpiresAt: started.urlExpiresAt?.getTime(),
    reference,
  }
}

function startRequest(
  provider: Provider,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  request: PaymentStartRequest,
): StartRequest {
  const { customer, billing_address, shipping_address } = cutFor(provider, 'payments', adapter)(request)
  return Object.assign(attemptView(attempt), {
    order: request.order,
    method: request.payment_method,
    customer,
    billing_address,
    shipping_address,
  })
}

const details = { reference: z.string().max(255).optional(), expiresAt: z.date().optional() }
const startedSchema = z.union([
  z.object({ ...details, redirect: z.url({ protocol: /^https?$/ }), urlExpiresAt: z.date().optional() }),
  z.object({ ...details, page: z.literal(true) }),
  z.object({ ...details, later: z.literal(true) }),
  z.object({ ...details, refused: z.string() }),
])

function checkStarted(provider: Provider, adapter: AnyPaymentAdapter, answer: unknown): Started {
  const { success, data } = startedSchema.safeParse(answer)
  const start = `start() of payment adapter "${adapter.name}"`
  if (!success) {
    throw new TypeError(
      `${start} returns { redirect: url }, { page: true }, { later: true } or { refused: why }`,
    )
  }
  if ('page' in data && !adapter.page)
    throw new TypeError(`${start} returns { page: true }, but the adapter has no page`)
  if ('redirect' in data && !provider.development && !data.redirect.startsWith('https:')) {
    throw new TypeError(`${start} returns a redirect that is not https`)
  }
  return data
}
