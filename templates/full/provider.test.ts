import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createProvider, memoryStore, type Provider } from 'purveyor'
import { createSandbox, type Sandbox } from 'purveyor/sandbox'
import { testPayments } from './payments.ts'
import { rates } from './rates.ts'

let provider: Provider
let shop: Sandbox

before(async () => {
  provider = createProvider({
    store: memoryStore(),
    rates,
    payments: testPayments((ref, report) => provider.payments.report(ref, report)),
  })
  const { endpoint } = await provider.listen({ port: 0 })
  shop = createSandbox({ endpoint })
  await shop.listen()
})

after(async () => {
  await shop.close()
  await provider.stop()
})
