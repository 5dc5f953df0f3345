import { createProvider } from 'purveyor'
import { brand } from './brand.ts'
import { testPayments } from './payments.ts'
import { rates } from './rates.ts'

export default createProvider({ rates, payments: { adapters: testPayments, brand } })
