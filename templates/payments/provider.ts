import { createProvider } from 'purveyor'
import { brand } from './brand.ts'
import { testPayments } from './payments.ts'

export default createProvider({ payments: { adapters: testPayments, brand } })
