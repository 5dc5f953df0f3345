import { createProvider, type Provider } from 'purveyor'
import { testPayments } from '../../../templates/full/payments.ts'
import { rates } from '../../../templates/full/rates.ts'

// Template full, with limits that a whole day of checkouts in a minute does not meet.
const provider: Provider = createProvider({
  rates,
  payments: testPayments((ref, report) => provider.payments.report(ref, report)),
  http: { limits: { perSecond: 100_000, burst: 100_000, concurrent: 1_000 } },
})

export default provider
