import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { StorePort } from '../../src/store-port.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { atEnd } from '../at-end.ts'
import { builtPackage } from '../built.ts'
import { endWithProcess } from '../end-with-process.ts'
import { cleanEnv, end, repository, startReady } from '../journey/project.ts'
import { type Ended, keepProcesses } from './kept-processes.ts'

export { folderWith } from '../folder.ts'

const node = join(repository, 'node_modules/.bin/node')
/** The command line as it is installed. */
export const main = join(await builtPackage(), 'dist/cli/main.js')

const runKept = keepProcesses(node)

interface Where {
  cwd?: string
  env?: Record<string, string>
  /** How long a command may take, in milliseconds. Default 300,000. */
  patience?: number
}

/** Runs a command to its end, without a terminal. One that hangs is killed after its patience and ends with a signal. */
export function purveyor(
  args: string[],
  { cwd = tmpdir(), env = {}, patience = 300_000 }: Where = {},
): Promise<Ended> {
  return runKept({ main, args, cwd, env: cleanEnv(env) }, patience)
}

/** Runs commands in a folder. `out` and `err` are what they print, without the ends of their last lines; `json` is what `--json` prints. */
export function commandsIn(cwd: string, env: Record<string, string> = {}) {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await purveyor(args, { cwd, env })
    return { code, out: stdout.trimEnd(), err: stderr.trimEnd() }
  }
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out)
  return Object.assign(run, { json })
}

export type Commands = ReturnType<typeof commandsIn>

/** Uses the store of a folder, as a provider beside the commands does. */
export async function inStore<T>(cwd: string, use: (store: StorePort) => Promise<T>): Promise<T> {
  const store = sqliteStore({ file: join(cwd, 'data/purveyor.db') })
  await store.open()
  return use(store).finally(() => store.close())
}

/** What production needs. */
export const production = {
  PORT: '0',
  PURVEYOR_SECRET: 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe',
  PURVEYOR_PUBLIC_URL: 'https://checkout.example.com',
}

/** Starts a command that goes on, and ends it with the file's tests. `output` is what it has printed so far. */
export function running(args: string[], { cwd = tmpdir(), env = {} }: Where = {}) {
  const { child, ready } = startReady(node, [main, ...args], cwd, cleanEnv(env))
  const output = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk
      for (const look of waiting) look()
    })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  ready.catch(() => {})
  atEnd(() => end(child))
  const from = { stdout: 0, stderr: 0 }
  /** Resolves once the command has printed the words, after those waited for before; rejects when it ends without them. */
  const printed = (words: string, name: 'stdout' | 'stderr' = 'stdout') =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        const place = output[name].indexOf(words, from[name])
        if (place < 0) return
        from[name] = place + words.length
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      void ended.then(() => reject(new Error(`ended without "${words}":\n${output.stdout}${output.stderr}`)))
      look()
    })
  return { child, ready, ended, output, printed }
}

/** A command that ended with this code and has these words on standard error. */
export const saying = (code: number, words: string | RegExp) => ({
  code,
  stderr: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
})

const serve = ['serve', '--development', '--port', '0', '--json', '--show-endpoint']

/** Starts the provider of a folder in development on a free port. Its ready line has the endpoint. */
export const serving = (cwd: string, env: Record<string, string> = {}, ...more: string[]) =>
  running([...serve, ...more], { cwd, env })

/**
 * Runs a command on a terminal of its own, by `script` of util-linux, and types an answer each time that the words before it are shown.
 * Resolves with all that was shown.
 */
export async function onTerminal(
  args: string[],
  answers: readonly (readonly [words: RegExp, typed: string])[],
  { cwd = tmpdir(), env = {} }: Where = {},
): Promise<string> {
  const command = [node, main, ...args].map((part) => `'${part}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols 200 rows 50; exec ${command}`, '/dev/null'], {
    cwd,
    env: cleanEnv(env),
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  endWithProcess(child, { isGroup: true })
  atEnd(() => end(child))
  const waiting = [...answers]
  let shown = ''
  for await (const chunk of child.stdout) {
    shown += chunk
    const [next] = waiting
    if (!next?.[0].test(shown)) continue
    waiting.shift()
    child.stdin.write(next[1])
  }
  return shown
}

/** The source of a provider whose one shipping method has this title. */
export const providerSource = (title = 'At your door') => `import { createProvider, price } from 'purveyor'

const method = { id: 'door', title: '${title}', ...price({ excl: '5.00', taxRate: '0.21', currency: 'eur' }) }

export default createProvider({
  rates: { name: 'carrier', quote: () => [method], estimate: () => [method] },
  payments: {
    name: 'psp',
    methods: () => [{ id: 'card', title: 'Card' }],
    start: ({ orderId }) => ({ redirect: 'http://127.0.0.1:9/pay/' + orderId }),
  },
})
`
