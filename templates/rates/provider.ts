import { createProvider } from 'purveyor'
import { courier, tariff } from './rates.ts'

// `units` is what the shop's weights are in: the calls do not say so, the shop does.
export default createProvider({ rates: { adapters: [tariff, courier], units: { weight: 'g' } } })
