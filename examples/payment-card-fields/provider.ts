// A card payment with hosted fields and 3-D Secure, against a pretend acquirer on this machine. Start the acquirer first, then:
// npm run -s purveyor -- dev --provider examples/payment-card-fields/provider.ts
import { createProvider } from 'purveyor'
import { cardFields } from './card-fields.ts'

const api = process.env.ACQUIRER_URL ?? 'http://127.0.0.1:4010'
const bank = process.env.BANK_URL ?? 'http://localhost:4020'

export default createProvider({
  payments: {
    adapters: cardFields({ api, bank }),
    brand: { name: 'Card desk', accent: '#1d4ed8', radius: 10 },
  },
})
