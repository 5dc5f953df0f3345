import { createProvider, type Provider } from 'purveyor'
import { testPayments } from './payments.ts'
import { rates } from './rates.ts'

const provider: Provider = createProvider({
  rates,
  payments: testPayments((ref, report) => provider.payments.report(ref, report)),
})

export default provider
