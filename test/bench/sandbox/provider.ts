import { createProvider } from 'purveyor'
import { testPayments } from '../../../templates/full/payments.ts'
import { rates } from '../../../templates/full/rates.ts'

// Template full, with limits that a whole day of checkouts in a minute does not meet.
export default createProvider({
  rates,
  payments: testPayments,
  http: { limits: { perSecond: 100_000, burst: 100_000, concurrent: 1_000 } },
})
