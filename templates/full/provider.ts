import { createProvider } from 'purveyor'
import { testPayments } from './payments.ts'
import { rates } from './rates.ts'

export default createProvider({ rates, payments: testPayments })
