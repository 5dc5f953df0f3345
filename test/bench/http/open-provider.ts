import { pino } from 'pino'
import { createProvider, type ProviderOptions } from '../../../src/index.ts'
import { production } from '../../production-store.ts'
import { temporaryFolder } from '../../temporary.ts'
import { nowhere } from './child.ts'

/** A provider as in production that listens. Resolves with the address of its shop on this machine. */
export async function openProvider(options: Partial<ProviderOptions>): Promise<string> {
  const folder = temporaryFolder()
  process.on('exit', () => folder[Symbol.dispose]())
  const provider = createProvider({
    ...production,
    logger: pino({ level: 'info' }, nowhere()),
    // One shop asks as fast as it can: what is compared is the cost of an answer.
    http: { limits: { perSecond: 1e9, burst: 1e9 } },
    store: `sqlite:${folder.at('bench.db')}`,
    ...options,
  })
  const { endpoint, port } = await provider.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${port}${new URL(endpoint).pathname}`
}
