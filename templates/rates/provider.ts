import { createProvider } from 'purveyor'
import { rates } from './rates.ts'

export default createProvider({ rates })
