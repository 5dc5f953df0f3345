// A provider on a store with many shops, as a process of its own: what its start, its metrics and its look-ups take. Answers each message
// of its parent with figures.

import { pino } from 'pino'
import { createProvider } from '../../../src/index.ts'
import { inspect } from '../../../src/provider/inspection.ts'
import { methods } from '../http/quote.ts'

const provider = createProvider({
  ...{ store: process.env.STORE!, secret: process.env.SECRET!, port: 0, development: true },
  logger: pino({ level: 'silent' }),
  rates: { name: 'bench', quote: () => methods },
  // One shop may call as often as it can before memory is compared.
  http: { limits: { perSecond: 1e9, burst: 1e9 } },
  payments: {
    name: 'psp',
    methods: () => [],
    start: ({ id }) => ({ redirect: 'https://psp.example/1', reference: id }),
    push: { verify: () => true, read: () => [] },
  },
})

const cpuUs = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** The time and CPU of some work, in milliseconds. */
async function taken<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; cpu: number }> {
  const [from, cpu] = [performance.now(), cpuUs()]
  const result = await work()
  return { result, ms: performance.now() - from, cpu: (cpuUs() - cpu) / 1_000 }
}

const started = await taken(() => provider.listen({ host: '127.0.0.1' }))
const store = await inspect(provider).openStore()

const answers: Record<string, (given: string[]) => Promise<Record<string, number>>> = {
  async memory() {
    globalThis.gc!()
    const { heapUsed, rss } = process.memoryUsage()
    return { heapUsed, rss }
  },
  async metrics() {
    const { result, ms, cpu } = await taken(() => provider.metrics())
    return { ms, cpu, bytes: Buffer.byteLength(result) }
  },
  async lookUp(hashes) {
    const { ms } = await taken(async () => {
      for (const hash of hashes)
        if (!(await store.shopByEndpoint(hash, Date.now()))) throw new Error('no shop')
    })
    return { ms: ms / hashes.length }
  },
  cpu: async () => ({ us: cpuUs() }),
}

process.on('message', ({ name, given = [] }: { name: string; given?: string[] }) => {
  void answers[name]!(given).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => void provider.stop({ delay: 0 }).then(() => process.exit()))
process.send?.({ port: started.result.port, start_ms: started.ms, start_cpu_ms: started.cpu })
