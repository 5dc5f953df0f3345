import { createProvider } from 'purveyor'
import { carrier } from './carrier.ts'

export default createProvider({ rates: { adapters: carrier, units: { weight: 'g', volume: 'cm3' } } })
