import { createProvider, type Provider } from 'purveyor'
import { testPayments } from './payments.ts'

const provider: Provider = createProvider({
  payments: testPayments((ref, report) => provider.payments.report(ref, report)),
})

export default provider
