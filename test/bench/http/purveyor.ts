import { serveDriver } from './child.ts'
import { openProvider } from './open-provider.ts'
import { methods } from './quote.ts'

serveDriver(`${await openProvider({ rates: { name: 'bench', quote: () => methods } })}/shipment_methods`)
