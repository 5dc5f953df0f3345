import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { authorOf, type By } from '../audit.ts'
import type { PaymentStatus } from '../contract/index.ts'
import { PurveyorError, wrongAnswer, wrongCall } from '../errors/errors.ts'
import { currencyDigits, type Decimal, readDecimal, roundToCurrency } from '../money/index.ts'
import type { Parts } from '../parts.ts'
import type { PaymentAttempt } from './adapter-context.ts'
import { adapterOf, askAbout, attemptView, CalledAdapter } from './called-adapter.ts'
import { checkRef, findAttempt, type Learning, learnOf, type PaymentRef } from './learn-payment.ts'
import {
  type Ledger,
  ledgerOf,
  type MoneyRequest,
  type MoneyRequestKind,
  moneyLeft,
} from './ledger/movements.ts'
import { type Attempt, aboutAttempt, factOf, newFact } from './ledger/payment.ts'
import { type PaymentReports, readReports, type Statement } from './ledger/report.ts'
import { totalsOf } from './ledger/status.ts'

/** How much is refunded or captured, and under which key. */
export interface MoneyMoveOptions extends By {
  /** In the attempt's currency. Default: all that is left. */
  amount?: Decimal | number
  /**
   * Repeats the request of this key, or makes one with it. Default: an unfinished request of the same amount, and without an amount one of
   * any while nothing else is left; otherwise a new one. Past the `ttl` of the adapter's `idempotency` an unfinished request is asked again
   * by its key alone.
   */
  key?: string
  /** The reason, which is kept with the payment: at most 500 characters. Default: none. */
  why?: string
}

/** The result of a refund or a capture. */
export interface MovedMoney {
  /** The idempotency key of the request. */
  key: string
  amount: Decimal
  /** The amount that the payment service reported, where it is another. */
  reported: Decimal | undefined
  currency: string
  /** The reason of a refusal of the payment service; not set where it did what was asked. */
  refused: string | undefined
  status: PaymentStatus
  /** Of the attempt, with what was moved. */
  ledger: Ledger
}

/** The word of a report that says it was done. */
const wordOf = { refund: 'refunded', capture: 'paid' } as const

/**
 * Asks the payment service of an attempt for a refund or a capture, and learns what it did. A request that is done is not asked again.
 * `MONEY_UNAVAILABLE`: the adapter cannot, or too little is left. `MONEY_UNKNOWN`: the same call asks again with the same key.
 */
export async function moveMoney(
  workings: Learning,
  kind: MoneyRequestKind,
  ref: PaymentRef,
  options: MoneyMoveOptions = {},
): Promise<MovedMoney> {
  checkRef(ref)
  const attempt = await findHolding(workings, kind, ref, options.key)
  if (!attempt) throw new PurveyorError('UNKNOWN_PAYMENT')
  const adapter = adapterOf(workings, attempt)
  if (!adapter?.[kind])
    throw new PurveyorError(
      'MONEY_UNAVAILABLE',
      adapter
        ? `The payment adapter "${attempt.adapter}" has no ${kind}().`
        : `This provider has no payment adapter "${attempt.adapter}", with which it was started.`,
    )
  // Before the request is on disk: one whose data does not open is not under way.
  const view = attemptView(workings.contents, attempt)
  const request = await openRequest(workings, kind, attempt, options)
  if (request.outcome === undefined) {
    if (options.key === undefined && isForgotten(adapter, request, workings.world.now()))
      throw forgotten(request)
    await ask(workings, adapter, { attempt, view }, request)
  }
  const { shopId, orderId } = attempt
  const { status, attempts } = (await workings.store.payment(shopId, orderId))!
  const settled = await workings.store.moneyRequests(shopId, orderId)
  const { key, amount, currency, detail, outcome } = settled.find((one) => one.key === request.key)!
  const ledger = ledgerOf(attempts.find(({ id }) => id === attempt.id)!)
  const refused = outcome === 'refused' ? (detail ?? 'refused') : undefined
  const reported = outcome === 'done' ? detail : undefined
  return { key, amount, reported, currency, refused, status, ledger }
}

/** Of an order the attempt of the key, or the one that pays it. Of one that is not paid another attempt may hold the money. */
async function findHolding(
  { store }: Parts<'store'>,
  kind: MoneyRequestKind,
  ref: PaymentRef,
  key: string | undefined,
): Promise<Attempt | undefined> {
  const attempt = await findAttempt(store, ref, true)
  if (!attempt || !('orderId' in ref)) return attempt
  const { shopId, orderId } = attempt
  const requests = key === undefined ? [] : await store.moneyRequests(shopId, orderId)
  const payment = (await store.payment(shopId, orderId))!
  const asked = requests.find((one) => one.key === key)
  const known = payment.attempts.find(({ id }) => id === asked?.attemptId)
  if (known || payment.paidBy !== undefined || moneyLeft(attempt, kind, []).gt(0)) return known ?? attempt
  const holding = payment.attempts.filter((one) => moneyLeft(one, kind, []).gt(0))
  if (holding.length <= 1) return holding[0] ?? attempt
  const listed = holding.map((one) => {
    const left = roundToCurrency(moneyLeft(one, kind, []), one.currency)
    return `${left} ${one.currency} of attempt ${one.id}`
  })
  const message = `Several attempts have money to ${kind}, so name one of them: ${listed.join(', ')}.`
  throw new PurveyorError('MONEY_UNAVAILABLE', message)
}

/** Past the `ttl` of its keys a payment service would move the money a second time. */
const isForgotten = ({ idempotency }: AnyPaymentAdapter, { askedAt }: MoneyRequest, now: number): boolean =>
  idempotency !== undefined && now - askedAt > idempotency.ttl

const forgotten = ({ kind, amount, currency, key }: MoneyRequest) =>
  new PurveyorError(
    'MONEY_UNKNOWN',
    `The outcome of the ${kind} of ${amount} ${currency} is unknown, and the payment service has forgotten its key, ${key}. Look it up there. If nothing was moved, call it again with this key.`,
  )

async function openRequest(
  { store, world }: Parts<'store' | 'world'>,
  kind: MoneyRequestKind,
  attempt: Attempt,
  { amount, key, by, why }: MoneyMoveOptions,
): Promise<MoneyRequest> {
  if (key !== undefined && !/^[\w.:-]{1,100}$/.test(key))
    throw wrongCall('`key` takes 1 to 100 letters, digits, dots, colons, hyphens and underscores')
  const { shopId, orderId, id: attemptId, currency } = attempt
  const opened = await store.openMoneyRequest({
    ...{ shopId, orderId, kind, attemptId, key, why: why?.slice(0, 500) },
    amount: amount === undefined ? undefined : readAmount(amount, currency),
    newKey: world.token(16),
    now: world.now(),
    by: authorOf(by),
  })
  if (opened.outcome === 'other') throw wrongCall(`Key ${key} belongs to another request of the order`)
  if (opened.outcome !== 'too much') return opened.request
  const left = Number(opened.left) > 0 ? `Only ${opened.left} ${currency} is` : 'Nothing is'
  const message = `${left} left to ${kind} of this attempt. Requests whose outcome is unknown count as done.`
  throw new PurveyorError('MONEY_UNAVAILABLE', message)
}

function readAmount(amount: unknown, currency: string): Decimal {
  const read = readDecimal(amount)
  if (read === undefined || Number(read) <= 0) throw wrongCall('`amount` must be a decimal number above 0')
  if (Number(roundToCurrency(read, currency)) !== Number(read))
    throw wrongCall(`\`amount\` may have at most ${currencyDigits(currency)} decimals in ${currency}`)
  return roundToCurrency(read, currency)
}

async function ask(
  workings: Learning,
  adapter: AnyPaymentAdapter,
  { attempt, view }: { attempt: Attempt; view: PaymentAttempt },
  request: MoneyRequest,
): Promise<void> {
  const { store, world, payments } = workings
  const { kind, amount, currency, key: idempotencyKey } = request
  const about = { ...aboutAttempt(attempt), amount, currency }
  const called = new CalledAdapter(workings, adapter, attempt.shopId, payments.deadlines.start)
  try {
    const said = await askAbout(called, attempt, kind, (ctx, one) => async () => {
      const answer = await adapter[kind]!(view, { amount, currency, idempotencyKey }, ctx)
      const move = readMove(kind, adapter, answer)
      // It is made, whatever was looked up in vain behind it.
      if (!isRefusal(move)) one.lastStatus = undefined
      return move
    })
    if (isRefusal(said)) {
      world.log.warn({ ...about, why: said.refused }, `${kind} refused by the payment service`)
      return await store.settleMoneyRequest(request, 'refused', said.refused.slice(0, 200))
    }
    await learnOf(workings, attempt, said, kind)
    const moved = movedBy(said, attempt, request)
    await store.settleMoneyRequest(request, 'done', moved === amount ? undefined : moved)
  } catch (cause) {
    world.log.error({ ...about, key: idempotencyKey, err: cause }, `the outcome of a ${kind} is unknown`)
    const message = `The outcome of the ${kind} of ${amount} ${currency} is unknown. Call it again: it asks with the same key, ${idempotencyKey}.`
    throw new PurveyorError('MONEY_UNKNOWN', message, { cause })
  }
}

/** How much an answer adds to what was known when it was asked for. A push may have reported it meanwhile. */
function movedBy(said: readonly Statement[], attempt: Attempt, asked: MoneyRequest): Decimal {
  const total = (facts: Attempt['facts']) => {
    const [own] = totalsOf({ ...attempt, facts })
    return asked.kind === 'refund' ? own.refunded : own.received
  }
  const known = attempt.facts.filter(({ at }) => at <= asked.askedAt)
  const added = said.flatMap(
    (one) => newFact(known, factOf(one, asked.kind, asked.askedAt), attempt.mode) ?? [],
  )
  return roundToCurrency(total([...known, ...added]).minus(total(known)), asked.currency)
}

/** Throws `ADAPTER_ANSWER_INVALID` for an answer that does not report the movement. */
function readMove(kind: MoneyRequestKind, { name }: AnyPaymentAdapter, said: PaymentReports | Refusal) {
  if (isRefusal(said)) return said
  const statements = readReports(said)
  const word = wordOf[kind]
  if (statements.some((one) => one.word === word && (one.event !== undefined || isSnapshot(said))))
    return statements
  throw wrongAnswer(
    `${kind}() of payment adapter "${name}" returns a report of "${word}" with the service's id as \`event\`, or a snapshot`,
  )
}

interface Refusal {
  refused: string
}

const isRefusal = (said: PaymentReports | Statement[] | Refusal): said is Refusal =>
  typeof (said as Partial<Refusal> | null | undefined)?.refused === 'string'

/** Two equal amounts without an event would count as one. The totals of a snapshot grow. */
const isSnapshot = (said: PaymentReports): boolean => [said].flat().some((one) => 'totals' in one)
