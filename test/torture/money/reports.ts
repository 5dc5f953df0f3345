import type { PurveyorError } from '../../../src/errors/errors.ts'
import { paid, paymentsWith } from '../../helpers/provider.ts'
import type { Found } from '../found.ts'

/** Reports that no adapter may give. */
const wrong: Record<string, object> = {
  'a negative amount': { ...paid, amount: '-1.00' },
  'an amount with too many digits': { ...paid, amount: '29.345' },
  'yen with digits': { ...paid, amount: '29.50', currency: 'jpy' },
  'a currency that does not exist': { ...paid, currency: 'xqq' },
  'money without a currency': { status: 'refunded', amount: '1.00' },
  'money without an amount': { status: 'charged_back', currency: 'eur' },
  'not a number': { ...paid, amount: Number.NaN },
  'an empty event': { ...paid, event: '' },
  'a negative total': { status: 'pending', totals: { received: -1 }, currency: 'eur' },
  'a total that does not exist': { status: 'pending', totals: { recieved: '1.00' }, currency: 'eur' },
  'a wrong report behind a right one': [
    { ...paid, event: 'tr_1' },
    { ...paid, amount: '-1.00' },
  ],
}

/** What cannot be true is refused whole, with an error that says so, and leaves no trace. */
export async function tryReports(): Promise<Found> {
  const { start, report, stored } = paymentsWith({})
  await start()
  const violations: string[] = []
  for (const [what, said] of Object.entries(wrong)) {
    const refused = await report(said as never).then(
      () => 'taken',
      ({ code }: PurveyorError) => code,
    )
    if (refused !== 'ARGUMENT_INVALID') violations.push(`${what} is ${refused}`)
  }
  const { attempts, status } = await stored()
  const { length } = attempts.flatMap(({ facts }) => facts)
  if (length > 0 || status !== 'pending') violations.push(`${length} facts of reports that were refused`)
  return { tries: Object.keys(wrong).length, violations }
}
