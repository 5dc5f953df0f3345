import { createProvider } from 'purveyor'
import { testPayments } from './payments.ts'

export default createProvider({ payments: testPayments })
