import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import type { StorePort } from '../../src/store-port.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { atEnd } from '../at-end.ts'
import { builtPackage } from '../built.ts'
import { endWithProcess } from '../end-with-process.ts'
import { folderWith } from '../folder.ts'
import { cleanEnv, end, node, startReady } from '../journey/project.ts'
import { keepProcesses } from './kept-processes.ts'

export { folderWith }

/** The command line as it is installed. */
export const main = join(await builtPackage(), 'dist/cli/main.js')

const runKept = keepProcesses(node)

interface Where {
  cwd?: string
  env?: Record<string, string>
  /** How long a command may take, in milliseconds. Default 300,000. */
  patience?: number
}

/** The words of a command: a list, or a line in which they have no spaces. */
type Words = string | readonly string[]
const listOf = (words: Words): string[] => (typeof words === 'string' ? words.split(' ') : [...words])

/** Runs a command to its end, without a terminal. One that hangs is killed after its patience and ends with a signal. */
export const purveyor = (words: Words, { cwd = folderWith(), env = {}, patience = 300_000 }: Where = {}) =>
  runKept({ main, args: listOf(words), cwd, env: cleanEnv(env) }, patience)

/**
 * Runs commands in a folder: each is a line, and more words, which may have spaces. `out` and `err` are what it prints, without the ends of
 * their last lines; `json` is what `--json` prints.
 */
export function commandsIn(cwd = folderWith(), env: Record<string, string> = {}) {
  const run = async (line: string, ...more: readonly string[]) => {
    const { code, stdout, stderr } = await purveyor([...line.split(' '), ...more], { cwd, env })
    return { code, out: stdout.trimEnd(), err: stderr.trimEnd() }
  }
  const out = async (...words: Parameters<typeof run>) => (await run(...words)).out
  const json = async (line: string, ...more: readonly string[]) =>
    JSON.parse(await out(line, ...more, '--json'))
  return Object.assign(run, { out, json })
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
export function running(words: Words, { cwd = folderWith(), env = {} }: Where = {}) {
  const { child, ready } = startReady(node, [main, ...listOf(words)], cwd, cleanEnv(env))
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

/** A text that has these words in it. */
export const withWords = (words: string | RegExp): unknown =>
  typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words)

/** The end of a command with this code that has these words on standard error, and of one that has them on standard output. */
export const saying = (code: number, words: string | RegExp) => ({ code, err: withWords(words) })
export const printing = (code: number, words: string | RegExp) => ({ code, out: withWords(words) })

/** Starts the provider of a folder in development on a free port. Its ready line has the endpoint. */
export const serving = (cwd: string, env: Record<string, string> = {}, ...more: string[]) =>
  running([...listOf('serve --development --port 0 --json --show-endpoint'), ...more], { cwd, env })

/** What commands call the platform of a sandbox with. */
export const platformOf = ({ baseUrl, key, secret }: Sandbox['api'], language = 'nl') => ({
  PURVEYOR_PLATFORM_URL: baseUrl,
  PURVEYOR_PLATFORM_LANGUAGE: language,
  PURVEYOR_PLATFORM_KEY: key,
  PURVEYOR_PLATFORM_SECRET: secret,
})

/**
 * Runs a command on a terminal of its own, by `script` of util-linux, and types an answer each time that the words before it are shown.
 * Resolves with all that was shown.
 */
export async function onTerminal(
  words: Words,
  answers: readonly (readonly [words: RegExp, typed: string])[],
  { cwd = folderWith(), env = {} }: Where = {},
): Promise<string> {
  const command = [node, main, ...listOf(words)].map((part) => `'${part}'`).join(' ')
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
