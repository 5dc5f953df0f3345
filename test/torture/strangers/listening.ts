// A provider with two shops, in a process of its own. It ends with its standard input; each line of that asks for its memory.
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { createProvider, price } from '../../../src/index.ts'
import { lastingStore } from '../../production-store.ts'
import { pathOf } from './target.ts'

const method = { id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }
const provider = createProvider({
  development: false,
  secret: 'a secret of tests, 32 characters',
  publicUrl: 'https://provider.example',
  store: lastingStore(),
  logger: pino({ level: 'silent' }),
  rates: { name: 'table', quote: () => [method] },
  http: { limits: { perSecond: 200, burst: 1000 }, stopDelay: 0 },
})
const endpoints = [
  pathOf((await provider.shops.add('one')).endpoint),
  pathOf((await provider.shops.add('two')).endpoint),
]
const { port } = await provider.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ port, endpoints }))
createInterface({ input: process.stdin })
  .on('line', () =>
    console.log(JSON.stringify({ peak_mb: Math.round(process.resourceUsage().maxRSS / 1024) })),
  )
  .on('close', () => process.exit())
