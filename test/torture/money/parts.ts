import { paymentsOf } from '../../../src/use-cases/payments/payments.ts'
import { checkAttempts } from '../../background.ts'
import { hour, paymentsWith } from '../../use-cases/provider.ts'
import type { MoneyReport } from './report.ts'

const came = (amount: string) => ({ status: 'paid', amount, currency: 'eur', event: amount }) as const

/** Parts of the amount: how much pays an order of 29.34, and what ends an order that got no more. */
export async function tryParts(): Promise<MoneyReport> {
  const violations: string[] = []
  let tries = 0
  const is = (what: string, found: unknown, expected: unknown) => {
    tries++
    if (found !== expected) violations.push(`${what} is ${found}, expected is ${expected}`)
  }
  for (const [underpaidBy, amount, expected] of [
    [undefined, '29.33', 'pending'],
    ['0.50', '28.83', 'pending'],
    ['0.50', '28.84', 'paid'],
    ['29.34', '1.00', 'pending'],
    ['100.00', '1.00', 'pending'],
  ] as const) {
    const { start, report, stored } = paymentsWith({ ...(underpaidBy && { underpaidBy }) })
    await start()
    await report(came(amount))
    is(`${amount} with a tolerance of ${underpaidBy}`, (await stored()).status, expected)
  }
  for (const [end, expected] of [
    ['time alone', 'pending'],
    ['a refund of a part', 'pending'],
    ['a refund', 'expired'],
    ['a person', 'expired'],
  ] as const) {
    const { start, report, move, stored, workings } = paymentsWith({})
    await start()
    await report(came('20.00'))
    await move(2 * hour)
    await checkAttempts(workings)
    if (end.startsWith('a refund'))
      await report({ ...came(end === 'a refund' ? '20.00' : '19.99'), status: 'refunded' })
    const [open] = await workings.store.anomalies({ limit: 1 })
    is(`what opened before ${end}`, open?.kind, 'underpaid')
    if (end === 'a person') await paymentsOf(workings).closeAnomaly(open?.id ?? '', 'kept')
    await checkAttempts(workings)
    is(`a part after ${end}`, (await stored()).status, expected)
  }
  return { tries, violations }
}
