// The pretend acquirer as a program: node examples/payment-card-fields/acquirer/main.ts
import { startAcquirer } from './acquirer.ts'

const { url, bankUrl } = await startAcquirer({ port: 4010, bankPort: 4020 })
console.log(`acquirer ${url}\nbank     ${bankUrl}`)
