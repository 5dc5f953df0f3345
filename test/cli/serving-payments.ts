import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { type Commands, commandsIn, folderWith, serving } from './command.ts'

/** A provider that runs in a folder of its own, commands to run beside it, and what it has logged so far. */
export interface ServingPayments {
  cwd: string
  /** The address that `start` of its payment adapter has printed after the words `push address`. */
  pushUrl: string
  /** The statuses of the starts of orders 12 and 13. */
  started: number[]
  /** The lines of the log so far, or those that have a code. */
  log: (code?: string) => Record<string, unknown>[]
  metrics: () => Promise<string>
  run: Commands
}

/** Starts the provider of this source, and a payment each of orders 12 and 13. */
export async function servePayments(source: string): Promise<ServingPayments> {
  const cwd = folderWith({ 'provider.ts': source })
  const { ready, output } = serving(cwd, { PURVEYOR_LOG_LEVEL: 'info' })
  const { endpoint, url } = await ready
  const started: number[] = []
  for (const id of [12, 13]) started.push((await postJson(`${endpoint}/payment`, payment({ id }))).status)
  const [, pushUrl = ''] = /^push address (\S+)$/m.exec(output.stderr) ?? []
  const log = (code?: string) =>
    (output.stderr.match(/^{.*}$/gm) ?? [])
      .map((line) => JSON.parse(line))
      .filter((line) => !code || line.code === code)
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  return { cwd, pushUrl, started, log, metrics, run: commandsIn(cwd) }
}
