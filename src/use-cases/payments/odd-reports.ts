import { currencyDigits, decimal } from '../../money/index.ts'
import type { Attempt } from '../../payments/payment.ts'
import { moneyWords, type Statement, stateWords } from '../../payments/report.ts'
import { didYouMean } from '../nearest.ts'
import type { Workings } from '../workings.ts'

const words = [...moneyWords, ...stateWords]

/**
 * Logs in development what looks wrong in the reports of an adapter: a status that is not on the list, and an amount in cents. Each fault is
 * logged once for an attempt.
 */
export function warnOfReports(workings: Workings, attempt: Attempt, statements: readonly Statement[]): void {
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
