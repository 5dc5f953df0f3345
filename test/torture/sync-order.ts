import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { cleanEnv } from '../journey/project.ts'
import { temporaryFolder } from '../temporary.ts'

export interface SyncReport {
  answers: number
  /** Answers of 201 that left before the log was synced twice: once with the attempt, once with its start. */
  too_early: number
}

export const hasStrace = spawnSync('strace', ['-V']).error === undefined

/** A provider under strace, with where it is reached. */
export async function startWatched(file: string, watch: string[]) {
  const provider = new URL('./sync-provider.ts', import.meta.url).pathname
  const child = spawn('strace', ['-f', '-qq', ...watch, process.execPath, provider, file], {
    env: cleanEnv(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const [endpoint] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, endpoint }
}

export async function startPayment(endpoint: string, id: number): Promise<number> {
  const answer = await postJson(`${endpoint}/payment`, payment({ id }))
  await answer.arrayBuffer()
  return answer.status
}

/** Watches the system calls of a provider: every 201 comes behind its syncs. `undefined` where nothing can be watched. */
export async function watchSyncs(answers: number): Promise<SyncReport | undefined> {
  if (!hasStrace) return undefined
  using folder = temporaryFolder()
  const log = folder.at('calls.txt')
  const watch = ['-s', '16', '-e', 'trace=fdatasync,fsync,write,writev', '-o', log]
  const { child, endpoint } = await startWatched(folder.at('sync.db'), watch)
  using ends = new DisposableStack()
  ends.defer(() => void child.kill('SIGKILL'))
  for (let id = 1; id <= answers; id++) {
    const status = await startPayment(endpoint, id)
    if (status !== 201) throw new Error(`answered ${status}`)
  }
  child.stdin.end()
  await once(child, 'exit')
  return read(readFileSync(log, 'utf8'))
}

function read(log: string): SyncReport {
  const report: SyncReport = { answers: 0, too_early: 0 }
  let syncs = 0
  for (const line of log.split('\n')) {
    if (/\bf(data)?sync\(/.test(line)) syncs++
    if (!line.includes('HTTP/1.1 201')) continue
    report.answers++
    if (syncs < 2) report.too_early++
    syncs = 0
  }
  return report
}
