import { paymentsOf } from '../../../src/payments/payments.ts'
import { checkAttempts } from '../../background.ts'
import { hour, paymentsWith, startTwo } from '../../helpers/provider.ts'
import { type Found, finding } from '../found.ts'

const came = (amount: string) => ({ status: 'paid', amount, currency: 'eur', event: amount }) as const

/** Parts of the amount: how much pays an order of 29.34, what ends one that got no more, and what a paid or free one takes. */
export async function tryParts(): Promise<Found> {
  const { found, is } = finding()
  for (const [underpaidBy, amount, expected] of [
    [undefined, '29.33', 'pending'],
    ['0.50', '28.83', 'pending'],
    ['0.50', '28.84', 'paid'],
    ['14.67', '14.67', 'paid'],
    ['29.33', '29.33', 'pending'],
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
    if (end === 'a person') await paymentsOf(workings, async () => {}).closeAnomaly(open?.id ?? '', 'kept')
    await checkAttempts(workings)
    is(`a part after ${end}`, (await stored()).status, expected)
  }
  let calls = 0
  const service = { start: () => ({ redirect: `https://psp.example/${++calls}` }) }
  const { start, report, status } = paymentsWith(service)
  const starts = (price_incl: number) =>
    start({ price_incl }).then(
      () => 'taken',
      ({ code }) => String(code),
    )
  await start()
  await report(came('29.34'))
  is('a start for less than was received', await starts(20), 'taken')
  is('a start for as much as was received', await starts(29.34), 'taken')
  is('a start for more than was received', await starts(29.35), 'PAID_LESS')
  is('an order of nothing', (await start({ id: 1002, price_incl: 0 })).payment_url?.endsWith('/return'), true)
  is('its status', await status('1002'), 'paid')
  is('the calls of start', calls, 1)
  const { anomalies, ...timed } = paymentsWith({})
  await timed.start()
  await timed.report({ ...came('29.34'), status: 'refunded', at: new Date(2_000) })
  await timed.report({ ...came('29.34'), at: new Date(1_000) })
  is('the anomalies of a refund that was heard of first', (await anomalies()).join(' '), '')
  is('the payable sessions of two starts at once', (await startTwo('10.00')).payable.join(' '), '100.00')
  return found
}
