import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createProvider } from '../../../src/index.ts'
import { nowhere, serveDriver } from './child.ts'
import { methods } from './quote.ts'

const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const provider = createProvider({
  rates: { name: 'bench', quote: () => methods },
  development: false,
  publicUrl: 'https://provider.example',
  secret: 'a secret for a benchmark, 32 characters',
  logger: pino({ level: 'info' }, pino.destination({ dest: nowhere(), sync: true })),
  http: {
    // One shop asks as fast as it can: what is compared is the cost of an answer.
    limits: { perSecond: 1e9, burst: 1e9 },
  },
  store: `sqlite:${join(folder, 'bench.db')}`,
})
const { endpoint, port } = await provider.listen({ port: 0, host: '127.0.0.1' })
serveDriver(`http://127.0.0.1:${port}${new URL(endpoint).pathname}/shipment_methods`)
