import { z } from 'zod'
import { type Deadline, DeadlinePassed } from '../adapters/call-adapter.ts'
import { causeOf, isPassing, readable } from '../adapters/cause-of.ts'
import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { type PaymentStartRequest, Problem } from '../contract/index.ts'
import { hasCode, wrongAnswer } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { nextCheck } from '../queue/schedule.ts'
import type { MaybePromise } from '../world.ts'
import type { Started } from './adapter.ts'
import { attemptView, CalledAdapter, canBeAsked, mostData, sealData } from './called-adapter.ts'
import { attemptContext, cancelAttempts, type Learning, learnOf } from './learn-payment.ts'
import { type Attempt, type AttemptStart, aboutAttempt } from './ledger/payment.ts'

/** Takes part in a start: what is learned of it, and the addresses that it gives out. */
export type Starting = Learning & Parts<'addresses'>

/** A call of POST /payment that starts an attempt. */
export interface StartCall {
  attempt: Attempt
  adapter: AnyPaymentAdapter
  request: PaymentStartRequest
  deadline: Deadline
}

/** Calls the adapter's `start`, and puts its answer on disk. */
export async function callStart(workings: Starting, call: StartCall): Promise<Attempt> {
  const { attempt, adapter, deadline } = call
  const called = new CalledAdapter(workings, adapter, attempt.shopId, deadline)
  let calling: MaybePromise<Started> | undefined
  let started: Started
  try {
    const ctx = await startContext(workings, called, attempt)
    const asked = startRequest(workings, call)
    const answer = await called
      .ask('start', () => (calling = adapter.start(asked as never, ctx)))
      .catch((error: unknown) => {
        // An answer after the deadline is still stored.
        if (error instanceof DeadlinePassed && calling !== undefined) return calling
        throw error
      })
    started = checkStarted(workings, adapter, answer, 'start')
  } catch (error) {
    throw startFailed(workings, { adapter: adapter.name, ...aboutAttempt(attempt) }, error, called.lastStatus)
  }
  return noteStarted(workings, attempt, started)
}

/**
 * Every failure of an adapter is one answer to the platform, and the log has the details. Its remedy says when the same call cannot help: until
 * somebody repairs the adapter or its settings, or about this request.
 */
export function startFailed({ world }: Parts<'world'>, where: object, thrown: unknown, lastStatus?: number) {
  const cause = readable(thrown)
  world.log.error({ ...where, err: cause }, 'payment start failed')
  const status = Number(Object(cause).status) || lastStatus || 0
  const about = causeOf(cause, { lastStatus, called: true, readsFiles: false })
  // 409 also says that the first call with the same key is still running.
  const mayPass = about === 'carrier' || status === 409 || isPassing(status)
  const isFinal = !mayPass || hasCode(cause, 'ADAPTER_ANSWER_INVALID')
  return new Problem('PAYMENT_START_FAILED', isFinal ? { cause, remedy: sameAgain } : { cause })
}

const sameAgain =
  'The same call cannot help until the cause is repaired: offer another payment method. The log names the cause.'

function startRequest({ payments, contents }: Starting, { attempt, adapter, request }: StartCall) {
  const { customer, billing_address, shipping_address } = payments.cuts.of(adapter)(request)
  return Object.assign(attemptView(contents, attempt), {
    ...{ order: request.order, method: request.payment_method },
    ...{ customer, billing_address, shipping_address },
  })
}

async function startContext(workings: Starting, called: CalledAdapter, attempt: Attempt) {
  const { adapter } = called
  const { addresses } = workings
  return Object.assign(await attemptContext(workings, called, attempt), {
    returnUrl: addresses.returnOf(attempt),
    pushUrl: adapter.push && (await addresses.pushesOf(attempt.shopId, adapter.name)),
  })
}

/** Looks up the payment of a start with unknown outcome. `undefined`: there is none, or it cannot be looked up. */
export async function findStarted(
  workings: Starting,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  within: number | Deadline,
): Promise<Attempt | undefined> {
  if (!adapter.find) return undefined
  const called = new CalledAdapter(workings, adapter, attempt.shopId, within)
  const ctx = await startContext(workings, called, attempt)
  const found = await called.ask('find', () => adapter.find!(attempt.idempotencyKey, ctx))
  if (found === undefined) return undefined
  return noteStarted(workings, attempt, checkStarted(workings, adapter, found, 'find'))
}

function isJson(data: unknown): boolean {
  try {
    return data === undefined || Buffer.byteLength(JSON.stringify(data)) <= mostData
  } catch {
    return false
  }
}

const steps = "{ redirect: 'https://...' }, { page: true }, { later: true } or { refused: why }"
const asDate = (name: string) => z.date(`\`${name}\` as a Date`).optional()
const reference = '`reference` as a text of at most 255 characters'
const details = {
  reference: z.string(reference).max(255, reference).optional(),
  expiresAt: asDate('expiresAt'),
  urlExpiresAt: asDate('urlExpiresAt'),
  data: z.unknown().refine(isJson, 'data that is JSON of at most 4 KiB').optional(),
}
const startedSchema = z
  .object(details, steps)
  .and(
    z.union(
      [
        z.object({ redirect: z.url({ protocol: /^https?$/, error: steps }) }),
        z.object({ page: z.literal(true) }),
        z.object({ later: z.literal(true) }),
        z.object({ refused: z.string() }),
      ],
      steps,
    ),
  )

function checkStarted(
  { payments }: Parts<'payments'>,
  adapter: AnyPaymentAdapter,
  answer: unknown,
  member: 'start' | 'find',
): Started {
  const { success, data, error } = startedSchema.safeParse(answer)
  const start = `${member}() of payment adapter "${adapter.name}"`
  if (!success) throw wrongAnswer(`${start} returns ${error.issues[0]!.message}`)
  if ('page' in data && !adapter.page)
    throw wrongAnswer(`${start} returns { page: true }, but the adapter has no page`)
  if ('redirect' in data && !payments.development && !data.redirect.startsWith('https:')) {
    throw wrongAnswer(`${start} returns a redirect that is not https`)
  }
  return data
}

const hour = 3_600_000
const day = 24 * hour

/** Stores the next step of an attempt. After a refusal the customer goes straight back; the shop reads `cancelled` and lets them choose again. */
async function noteStarted(workings: Starting, attempt: Attempt, answer: Started): Promise<Attempt> {
  const { reference, data, expiresAt } = answer
  const started = { ...stepOf(workings, attempt, answer), reference }
  if (!('refused' in answer)) {
    const lives = 'later' in answer ? 14 * day : hour
    return noteStart(workings, attempt, started, data, expiresAt?.getTime() ?? workings.world.now() + lives)
  }
  // The payment service may report money of it all the same.
  if (reference !== undefined || data !== undefined)
    await noteStart(workings, attempt, started, data, attempt.expiresAt)
  const said = { word: 'failed', detail: answer.refused.slice(0, 200) } as const
  await learnOf(workings, attempt, [said], 'start')
  return { ...attempt, started }
}

function stepOf({ addresses }: Parts<'addresses'>, attempt: Attempt, answer: Started) {
  const noUrl = { paymentUrl: undefined, urlExpiresAt: undefined }
  if ('page' in answer) return { ...noUrl, how: 'page' as const }
  if ('later' in answer) return { ...noUrl, how: 'later' as const }
  const how = 'redirect' as const
  if ('refused' in answer) return { ...noUrl, how, paymentUrl: addresses.returnOf(attempt) }
  return { how, paymentUrl: answer.redirect, urlExpiresAt: answer.urlExpiresAt?.getTime() }
}

async function noteStart(
  workings: Learning,
  attempt: Attempt,
  started: AttemptStart,
  data: unknown,
  expiresAt: number,
): Promise<Attempt> {
  const { store, world, contents } = workings
  const { id, openedAt } = attempt
  const asked = canBeAsked(workings, attempt) ? nextCheck({ openedAt, expiresAt }, world.now()) : undefined
  const start = { ...started, sealedData: sealData(contents, id, data) }
  const times = { expiresAt, checkAt: asked ?? expiresAt }
  const noted = await store.noteStart(attempt, start, times)
  if (noted.pushesDue) workings.wake()
  // The newer start could not cancel what was not open yet.
  if (noted.isReplaced) void cancelAttempts(workings, [noted.attempt])
  return noted.attempt
}
