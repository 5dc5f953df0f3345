import { time } from '../printable.ts'
import { checkLease } from '../queue/schedule.ts'
import type { LaneRecord, NextCheck, StorePort, WebhookState } from '../store-port.ts'
import { allShops } from '../webhooks/lanes.ts'
import type { OpenedAnomaly } from './ledger/anomalies.ts'
import { isShort } from './ledger/levels.ts'
import { ledgerOf } from './ledger/movements.ts'
import { type Attempt, newestAttempt, type Payment } from './ledger/payment.ts'
import { isEnded } from './ledger/status.ts'
import { outageWords, type ServiceOutage } from './service-failures.ts'

/** No check takes longer, in milliseconds: its process may have died. */
const longestCheck = 60_000

type ServiceAsked = Awaited<ReturnType<typeof servicesAsked>>[number]

/**
 * Of the attempts that were asked about or will be, the newest first: when the payment service was asked last, what it answered, and when it
 * is asked next. Times are milliseconds since 1970.
 */
export async function servicesAsked(store: StorePort, payment: Payment, now: number) {
  const next = await store.nextChecks(payment.shopId, payment.orderId)
  const isShown = ({ id, asked }: Attempt) => asked !== undefined || next[id] !== undefined
  return payment.attempts
    .toReversed()
    .filter(isShown)
    .map(({ id, adapter, asked }) => ({
      attempt: id,
      adapter,
      askedAt: asked?.at,
      answer: asked?.answer,
      ...nextOf(next[id], now),
    }))
}

/**
 * Since when a process asks now, and when it is asked next: never in the past, and not while it is asked, unless that takes over a minute. The
 * time of a check that is under way is the end of its lease.
 */
function nextOf(next: NextCheck | undefined, now: number) {
  if (!next) return { underWaySince: undefined, nextAt: undefined }
  const { at, beganAt } = next
  if (beganAt === undefined || at !== beganAt + checkLease || now >= at)
    return { underWaySince: undefined, nextAt: Math.max(at, now) }
  return { underWaySince: beganAt, nextAt: now - beganAt > longestCheck ? at : undefined }
}

/** `asked 2026-03-02 10:00:05: pending; next 2026-03-02 10:05:00`, or `...; check under way since 2026-03-02 10:05:00`. */
export function askedWords(asked: ServiceAsked): string {
  const { askedAt, answer } = asked
  return `${askedAt === undefined ? 'not asked yet' : `asked ${time(askedAt)}: ${answer}`}; ${nextWords(asked)}`
}

function nextWords({ underWaySince, nextAt }: ServiceAsked): string {
  if (underWaySince === undefined) return nextAt === undefined ? 'not asked again' : `next ${time(nextAt)}`
  const died = nextAt === undefined ? '' : `; if its process has died, another one asks ${time(nextAt)}`
  return `check under way since ${time(underWaySince)}${died}`
}

/** A start that runs for so long has ended without an outcome, in milliseconds. */
const startPatience = 60_000

/** A payment with what it may wait for. */
export interface Standing {
  payment: Payment
  anomalies: readonly OpenedAnomaly[]
  webhook: WebhookState | undefined
  /** The lane of the payment service's pushes; set if it is closed or something waits in it. */
  pushLane: LaneRecord | undefined
  /** Whether a push waits in it that names the attempt that is waited for. */
  pushWaits: boolean
  /** Of the same attempt. */
  asked: ServiceAsked | undefined
  /** Set while starts of its adapter fail. */
  outage: ServiceOutage | undefined
  now: number
}

/** The attempt that is waited for: the newest one that goes on. */
export const awaited = (payment: Payment): Attempt | undefined =>
  payment.attempts.findLast((attempt) => !isEnded(attempt)) ?? newestAttempt(payment)

export interface Wait {
  /** The reason that a payment waits, in words. */
  waitsFor: string
  next: string
}

/** The command is one of `purveyor`. */
const waitFor = (waitsFor: string, command: string): Wait => ({ waitsFor, next: `purveyor ${command}` })

/** The reason that a payment waits and the next command, most urgent first. */
export function waitOf(standing: Standing): Wait {
  const { payment, anomalies, webhook, now } = standing
  const { shopId, orderId, status, statusVersion, readVersion } = payment
  const about = `${orderId} --shop ${shopId}`
  const [anomaly] = anomalies
  if (anomaly) {
    const others = anomalies.length > 1 ? ` and ${anomalies.length - 1} more` : ''
    const kind = `${anomaly.kind}${others} (purveyor explain ${anomaly.kind})`
    return shortOf(standing, kind) ?? waitFor(`a person: ${kind}`, `payments show ${about}`)
  }
  const owed = webhookWait(webhook, now)
  if (owed) return owed
  if (status === 'pending') return pendingOn(standing)
  if (readVersion < statusVersion)
    return waitFor('the shop: it accepted the webhook and has not read the status', `webhooks show ${about}`)
  return waitFor('nothing', `payments show ${about}`)
}

/** The two commands that end an attempt whose money does not pay the order. */
function shortOf({ payment, anomalies }: Standing, kind: string): Wait | undefined {
  const anomaly = anomalies.find((one) => isShort(one.kind))
  const holding = payment.attempts.find(({ id }) => id === anomaly?.attemptId)
  if (!anomaly || !holding || payment.status === 'paid') return undefined
  const { shopId, orderId } = payment
  const { net, currency } = ledgerOf(holding)
  const close = `purveyor payments close-anomaly ${anomaly.id} --note <note>`
  if (Number(net) <= 0)
    return waitFor(`a person: ${kind}; to end it: ${close}`, `payments show ${orderId} --shop ${shopId}`)
  return waitFor(
    `a person: ${kind}; a refund of the ${net} ${currency} ends it, and so does ${close}`,
    `payments refund ${orderId} --shop ${shopId} --attempt ${holding.id}`,
  )
}

/** The reason that a webhook is not delivered yet. `undefined` where none is owed. */
export function webhookWait(webhook: WebhookState | undefined, now: number): Wait | undefined {
  if (!webhook || webhook.state === 'delivered') return undefined
  const { shopId, orderId, state, webhookUrl, laneClosed, waitsForLane, dueAt = now, lastFailure } = webhook
  const about = `${orderId} --shop ${shopId}`
  const failed = lastFailure === undefined ? '' : `; last failure: ${lastFailure}`
  if (state === 'dead')
    return waitFor(`a person: its webhook was given up${failed}`, `webhooks replay ${about}`)
  const host = URL.parse(webhookUrl)?.host ?? ''
  const at = time(Math.max(dueAt, now))
  if (!laneClosed) return waitFor(`its webhook to ${host}; next try ${at}${failed}`, `webhooks show ${about}`)
  const next = waitsForLane ? `the lane's next probe, which calls one order, ${at}` : `next try ${at}`
  return waitFor(
    `the shop: the lane of webhooks to ${host} is closed; ${next}${failed}`,
    `lanes show webhook ${shopId} ${host}`,
  )
}

/** How the start of a payment ended that has no answer of its service, and what happens next. */
function startedOn({ payment, asked, outage, now }: Standing, attempt: Attempt): Wait {
  const about = `${payment.orderId} --shop ${payment.shopId}`
  const service = `the payment service (${attempt.adapter})`
  const { fails, words } = outage
    ? { fails: `; ${outageWords(outage)}`, words: `lanes show starts ${allShops} ${attempt.adapter}` }
    : { fails: '', words: `payments show ${about}` }
  const began = time(attempt.openedAt)
  if (!asked?.answer && now - attempt.openedAt < startPatience)
    return waitFor(`${service}: its start began ${began} and has no answer yet${fails}`, words)
  const ended =
    asked?.answer && asked.askedAt !== undefined
      ? `${time(asked.askedAt)}: ${asked.answer}`
      : `its start of ${began} has no outcome that was stored`
  return waitFor(`${service}; ${ended}; ${afterStart(attempt, asked, now)}${fails}`, words)
}

/** A look-up by `find` comes before the attempt expires. */
function afterStart({ expiresAt }: Attempt, asked: ServiceAsked | undefined, now: number): string {
  const end = `the customer may try again until it expires ${time(Math.max(expiresAt, now))}`
  if (asked?.underWaySince !== undefined)
    return `being looked up there since ${time(asked.underWaySince)}; ${end}`
  return asked?.nextAt !== undefined && asked.nextAt < expiresAt
    ? `looked up there ${time(asked.nextAt)}; ${end}`
    : end
}

/** The reason why a payment is pending: its own state first, and the lane of pushes only where a push of this order waits in it. */
function pendingOn(standing: Standing): Wait {
  const { payment, pushLane, pushWaits, asked, now } = standing
  const { shopId, orderId } = payment
  const attempt = awaited(payment)
  const show = `payments show ${orderId} --shop ${shopId}`
  if (!attempt || isEnded(attempt)) return waitFor('a report of its payment service', show)
  const { adapter } = attempt
  if (!attempt.started) return startedOn(standing, attempt)
  const own = `the customer or the payment service (${adapter}); expires ${time(Math.max(attempt.expiresAt, now))}`
  // Without `status` the first check is the one that ends the attempt.
  const isAsked = asked && (asked.nextAt !== attempt.expiresAt || asked.askedAt !== undefined)
  const answered = isAsked ? `; ${askedWords(asked)}` : ''
  const next = isAsked ? `payments ask ${orderId} --shop ${shopId}` : show
  if (!pushLane || !pushWaits) return waitFor(`${own}${answered}`, next)
  const why = pushLane.lastFailure === undefined ? '' : ` (${pushLane.lastFailure})`
  const state = pushLane.probeAt === undefined ? 'open' : 'closed'
  const nextAt = Math.max(pushLane.dueAt ?? now, pushLane.probeAt ?? now, now)
  const probe = `the lane's next ${state === 'open' ? 'try' : 'probe, with one push,'} ${time(nextAt)}`
  return waitFor(
    `${own}${answered}; a push of it waits in the lane of pushes through ${adapter}, which is ${state}${why}; ${probe}`,
    `lanes show push ${shopId} ${adapter}`,
  )
}
