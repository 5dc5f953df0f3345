import { createProvider } from 'purveyor'
import { courier, tariff } from './rates.ts'

// `units` are the units of the shop's weights, because requests carry none.
export default createProvider({ rates: { adapters: [tariff, courier], units: { weight: 'g' } } })
