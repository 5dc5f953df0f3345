// The thread that reads the answers of name servers.
import { parentPort, workerData } from 'node:worker_threads'
import type { LookupKind } from '../../world.ts'
import { manyAddresses } from './both-families.ts'
import { NameServers } from './name-server.ts'
import type { Question, ThreadAnswer } from './name-thread.ts'

/** Each kind of caller has sockets of its own. */
const kinds = new Map<LookupKind, NameServers>()

parentPort?.on('message', ({ id, kind, name, family }: Question) => {
  const servers = kinds.get(kind) ?? new NameServers(workerData)
  kinds.set(kind, servers)
  const answer = (said: ThreadAnswer) => parentPort?.postMessage(said)
  servers.ask(name, family).then(
    // One more than the limit shows that there were too many.
    (records) => answer({ id, records: records.slice(0, manyAddresses + 1) }),
    (error: { code?: string }) => answer({ id, code: error.code ?? 'ESERVFAIL' }),
  )
})
