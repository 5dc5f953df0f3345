import { z } from 'zod'
import { type PaymentStartRequest, Problem } from '../../contract/index.ts'
import { hasCode, wrongAnswer } from '../../errors.ts'
import { attemptView, type StartContext, type Started, type StartRequest } from '../../payments/adapter.ts'
import type { Attempt, AttemptStart } from '../../payments/payment.ts'
import { nextCheck } from '../../payments/schedule.ts'
import { mostData, sealData } from '../../payments/status.ts'
import { isPassing } from '../../rates/status-cause.ts'
import type { MaybePromise } from '../../world.ts'
import { type Deadline, DeadlinePassed } from '../call-adapter.ts'
import { causeOf } from '../rates/cause-of.ts'
import { type AnyPaymentAdapter, cutFor, type Workings } from '../workings.ts'
import { attemptContext, CalledAdapter } from './called-adapter.ts'
import { returnUrl } from './form-outcome.ts'
import { cancelAttempts, noteStatements } from './learn-payment.ts'
import { canBeAsked } from './read-status.ts'

/** Calls the adapter's `start`, and puts its answer on disk. */
export async function callStart(
  workings: Workings,
  attempt: Attempt,
  adapter: AnyPaymentAdapter,
  request: PaymentStartRequest,
  deadline: Deadline,
): Promise<Attempt> {
  const called = new CalledAdapter(workings, adapter, attempt.shopId, deadline)
  let calling: MaybePromise<Started> | undefined
  let started: Started
  try {
    const ctx = await startContext(called, attempt)
    const asked = startRequest(workings, adapter, attempt, request)
    const answer = await called
      .ask('start', () => (calling = adapter.start(asked as never, ctx)))
      .catch((error: unknown) => {
        // An answer after the deadline is still stored.
        if (error instanceof DeadlinePassed && calling !== undefined) return calling
        throw error
      })
    started = checkStarted(workings, adapter, answer, 'start')
  } catch (error) {
    throw startFailed(workings, aboutStart(attempt), error, called.lastStatus)
  }
  return noteStarted(workings, attempt, started)
}

/**
 * Every failure of an adapter is one answer to the platform, and the log has the details. Its remedy says when the same call cannot help: until
 * somebody repairs the adapter or its settings, or about this request.
 */
export function startFailed(
  { world }: Workings,
  where: object,
  cause: unknown,
  lastStatus?: number,
): Problem {
  world.log.error({ ...where, err: cause }, 'payment start failed')
  const status = Number(Object(cause).status) || lastStatus || 0
  const about = causeOf(cause, { lastStatus, called: true, readsFiles: false })
  // 409 also says that the first call with the same key is still running.
  const mayPass = about === 'carrier' || status === 409 || isPassing(status)
  const isFinal = !mayPass || hasCode(cause, 'ADAPTER_ANSWER_INVALID')
  return new Problem('PAYMENT_START_FAILED', isFinal ? { cause, remedy: sameAgain } : { cause })
}

export const aboutStart = ({ adapter, shopId: shop, orderId: order, id: attempt }: Attempt) => ({
  adapter,
  shop,
  order,
  attempt,
})

const sameAgain =
  'The same call cannot help until the cause is repaired: offer another payment method. The log names the cause.'

function startRequest(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  request: PaymentStartRequest,
): StartRequest {
  const { customer, billing_address, shipping_address } = cutFor(workings, 'payments', adapter)(request)
  return Object.assign(attemptView(workings.contents, attempt), {
    order: request.order,
    method: request.payment_method,
    customer,
    billing_address,
    shipping_address,
  })
}

async function startContext(called: CalledAdapter, attempt: Attempt): Promise<StartContext> {
  const { workings, adapter } = called
  return Object.assign(await attemptContext(called, attempt), {
    returnUrl: returnUrl(workings, attempt),
    pushUrl: adapter.push && (await workings.pushUrl(attempt.shopId, adapter.name)),
  })
}

/** Looks up the payment of a start with unknown outcome. `undefined`: there is none, or it cannot be looked up. */
export async function findStarted(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  within: number | Deadline,
): Promise<Attempt | undefined> {
  if (!adapter.find) return undefined
  const called = new CalledAdapter(workings, adapter, attempt.shopId, within)
  const ctx = await startContext(called, attempt)
  const found = await called.ask('find', () => adapter.find!(attempt.idempotencyKey, ctx))
  if (found === undefined) return undefined
  return noteStarted(workings, attempt, checkStarted(workings, adapter, found, 'find'))
}

const isJson = (data: unknown): boolean => {
  try {
    return data === undefined || Buffer.byteLength(JSON.stringify(data)) <= mostData
  } catch {
    return false
  }
}
const details = {
  reference: z.string().max(255).optional(),
  expiresAt: z.date().optional(),
  data: z.unknown().optional(),
}
const detailSchema = z.object({ ...details, urlExpiresAt: z.date().optional() })
const expectedDetails: Record<string, string> = {
  reference: '`reference` as a text of at most 255 characters',
  expiresAt: '`expiresAt` as a Date',
  urlExpiresAt: '`urlExpiresAt` as a Date',
}
const startedSchema = z.union([
  z.object({ ...details, redirect: z.url({ protocol: /^https?$/ }), urlExpiresAt: z.date().optional() }),
  z.object({ ...details, page: z.literal(true) }),
  z.object({ ...details, later: z.literal(true) }),
  z.object({ ...details, refused: z.string() }),
])

/** The answer that a start should return instead of this one: a detail of it, or the next step. */
function expectedOf(answer: unknown): string {
  const name = String(detailSchema.safeParse(answer).error?.issues[0]?.path[0])
  const next = '{ redirect: url }, { page: true }, { later: true } or { refused: why }'
  return expectedDetails[name] ?? next
}

/** Whether the redirect of an answer is an address but for its protocol, such as `pay.example/x`. */
function lacksProtocol(answer: unknown): boolean {
  const { redirect } = Object(answer) as { redirect?: unknown }
  return typeof redirect === 'string' && /^(?:\/\/)?[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(redirect)
}

function checkStarted(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  answer: unknown,
  member: 'start' | 'find',
): Started {
  const { success, data } = startedSchema.safeParse(answer)
  const start = `${member}() of payment adapter "${adapter.name}"`
  if (!success && lacksProtocol(answer))
    throw wrongAnswer(`${start} returns a redirect without https:// in front: write the whole address`)
  if (!success) throw wrongAnswer(`${start} returns ${expectedOf(answer)}`)
  if (!isJson(data.data)) throw wrongAnswer(`${start} returns data that is JSON of at most 4 KiB`)
  if ('page' in data && !adapter.page)
    throw wrongAnswer(`${start} returns { page: true }, but the adapter has no page`)
  if ('redirect' in data && !workings.development && !data.redirect.startsWith('https:')) {
    throw wrongAnswer(`${start} returns a redirect that is not https`)
  }
  return data
}

const hour = 3_600_000
const day = 24 * hour

/** Stores the next step of an attempt. */
export async function noteStarted(workings: Workings, attempt: Attempt, started: Started): Promise<Attempt> {
  if ('refused' in started) return noteRefused(workings, attempt, started)
  const { world } = workings
  const expiresAt = started.expiresAt?.getTime() ?? world.now() + ('later' in started ? 14 * day : hour)
  return noteStart(workings, attempt, { ...attemptStart(started), data: started.data }, expiresAt)
}

/** The customer goes straight back; the shop reads `cancelled` and lets them choose again. */
async function noteRefused(
  workings: Workings,
  attempt: Attempt,
  { refused, reference, data }: Extract<Started, { refused: string }>,
): Promise<Attempt> {
  const started = {
    ...noDetails,
    how: 'redirect',
    paymentUrl: returnUrl(workings, attempt),
    reference,
  } as const
  // The payment service may report money of it all the same.
  if (reference !== undefined || data !== undefined)
    await noteStart(workings, attempt, { ...started, data }, attempt.expiresAt)
  await noteStatements(workings, attempt, [{ word: 'failed', detail: refused.slice(0, 200) }], 'start')
  return { ...attempt, started }
}

async function noteStart(
  workings: Workings,
  attempt: Attempt,
  { data, ...started }: Omit<AttemptStart, 'sealedData'> & { data: unknown },
  expiresAt: number,
): Promise<Attempt> {
  const { id, openedAt } = attempt
  const asked = canBeAsked(workings, attempt)
    ? nextCheck({ openedAt, expiresAt }, workings.world.now())
    : undefined
  const start = { ...started, sealedData: sealData(workings.contents, id, data) }
  const times = { expiresAt, checkAt: asked ?? expiresAt }
  const noted = await workings.store.noteStart(attempt, start, times)
  if (noted.pushesDue) workings.wake()
  // The newer start could not cancel what was not open yet.
  if (noted.isReplaced) void cancelAttempts(workings, [noted.attempt])
  return noted.attempt
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
