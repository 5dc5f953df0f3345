import { currencyDigits, decimal } from '../../money/index.ts'
import type { Anomaly } from '../../payments/anomalies.ts'
import type { Learned } from '../../payments/moves.ts'
import type { Attempt, FactSource } from '../../payments/payment.ts'
import { moneyWords, type Statement, stateWords } from '../../payments/report.ts'
import type { HandReport } from '../../store-port.ts'
import type { Log } from '../../world.ts'
import { didYouMean } from '../checked-options.ts'
import type { Workings } from '../workings.ts'
import { forgetPage } from './form-outcome.ts'

/** Stores what is said about an attempt, logs the anomalies that it opens and wakes the delivery of webhooks. */
export async function noteStatements(
  workings: Workings,
  attempt: Attempt,
  statements: readonly Statement[],
  source: FactSource,
  byHand?: HandReport,
): Promise<Learned> {
  const { world, store } = workings
  const { shopId, orderId, id } = attempt
  const learned = await store.learn(shopId, orderId, id, statements, { source, now: world.now(), byHand })

  if (!byHand) warnOfReports(workings, attempt, statements)
  const about = { shop: shopId, order: orderId, attempt: id }
  const { added, from, payment } = learned
  if (added.length > 0) {
    const fact = added.map(({ kind }) => kind).join(' ')
    world.log.info({ ...about, fact, source, from, to: payment.status }, 'payment has a new fact')
  }
  warnOf(learned.anomalies, about, world.log)
  if (payment.statusVersion > payment.deliveredVersion) workings.wake()
  if (added.length > 0) void forgetPage(workings, attempt, payment)
  return learned
}

/** Logs each anomaly once, when it opens. It stays open until a person closes it. */
export function warnOf(anomalies: readonly Anomaly[], about: object, log: Log): void {
  for (const { kind, attemptId, expected, received, stake, currency } of anomalies) {
    const money = stake === undefined ? {} : { stake, received, expected, currency }
    log.warn({ ...about, anomaly: kind, about: attemptId, ...money }, 'payment needs review')
  }
}

/** Opens an anomaly without a fact, of this attempt where it names no other. */
export async function openAnomaly(
  { store, world }: Workings,
  { shopId, orderId, id }: Attempt,
  anomaly: Omit<Anomaly, 'attemptId'> & { attemptId?: string },
): Promise<void> {
  const opened = { attemptId: id, ...anomaly }
  const isNew = await store.openAnomaly(shopId, orderId, opened, world.now())
  if (isNew) warnOf([opened], { shop: shopId, order: orderId, attempt: id }, world.log)
}

const words = [...moneyWords, ...stateWords]

/**
 * Logs in development what looks wrong in the reports of an adapter: a status that is not on the list, and an amount in cents. Each fault is
 * logged once for an attempt.
 */
function warnOfReports(workings: Workings, attempt: Attempt, statements: readonly Statement[]): void {
  const { world, development, memory } = workings
  if (!development) return
  for (const fault of statements.flatMap((one) => faultOf(one, attempt) ?? [])) {
    const key = `${attempt.id} ${fault}`
    if (memory.oddReports.has(key)) continue
    memory.oddReports.set(key, true)
    const about = { adapter: attempt.adapter, shop: attempt.shopId, order: attempt.orderId }
    world.log.warn({ ...about, fault }, 'a report looks wrong')
  }
}

function faultOf({ unlisted, word, amount, currency }: Statement, attempt: Attempt): string | undefined {
  if (unlisted !== undefined)
    return `its status "${unlisted}" is not known and changes nothing: ${didYouMean(unlisted, words)}`
  if (amount === undefined || currency === undefined || (word !== 'paid' && word !== 'authorised'))
    return undefined
  const digits = currencyDigits(currency)
  const isOther = currency !== attempt.currency
  if (
    isOther ||
    digits === 0 ||
    Number(amount) === 0 ||
    !decimal(amount).eq(decimal(attempt.amount).times(10 ** digits))
  )
    return undefined
  return `its amount of ${decimal(amount).toFixed()} is ${10 ** digits} times that of the order: did you mean ${attempt.amount}?`
}
