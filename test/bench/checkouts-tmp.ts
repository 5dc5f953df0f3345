import { fileURLToPath } from 'node:url'
import { ProviderProcess } from '../../src/cli/provider/process.ts'
import { createSandbox, pressOnPage } from '../../src/sandbox/index.ts'
import { temporaryFolder } from '../temporary.ts'
import { times } from '../together.ts'

const providerFile = fileURLToPath(new URL('./sandbox/provider.ts', import.meta.url))
const n = Number(process.argv[2])
using folder = temporaryFolder()
const env = { PORT: '0', PURVEYOR_DATABASE_URL: `sqlite:${folder.at('provider.db')}` }
const provider = new ProviderProcess(providerFile, { env })
const { endpoint, services } = await provider.start()
const shop = createSandbox({ endpoint, services })
await shop.listen()
const one = async () => {
  await shop.estimate({ country: 'nl', zipcode: '1016GV' })
  const order = await shop.checkout().placeOrder()
  await pressOnPage(order.paymentUrl!, 'paid')
  const { status } = await shop.returnToShop(order.id)
  if (status !== 'paid') throw new Error(`order ${order.number} is ${status}`)
}
await times(20, 4, one)
const c0 = process.cpuUsage(),
  since = performance.now()
await times(n, 4, one)
const seconds = (performance.now() - since) / 1000
const c = process.cpuUsage(c0)
console.log(
  `${Math.round((n / seconds) * 60)} a minute, cpu ${((c.user + c.system) / 1000 / n).toFixed(1)} ms each`,
)
await shop.close()
await provider.stop()
