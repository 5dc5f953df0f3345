import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { endWithProcess } from '../end-with-process.ts'

export const run = promisify(execFile)
export const repository = new URL('../../', import.meta.url).pathname
/** The Node that the package installs for itself. */
export const node = join(repository, 'node_modules/.bin/node')

export const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  version: string
  files: string[]
  engines: { node: string }
} & Record<'bin' | 'exports' | 'scripts' | 'devDependencies', Record<string, string>>

/** What the compiler prints in a folder: nothing where all types are sound. */
export const compiled = (cwd: string, ...flags: string[]): Promise<string> =>
  run(join(repository, 'node_modules/.bin/tsc'), ['-p', '.', '--checkers', '1', ...flags], { cwd }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )

/** npm as a person would type it: nothing of the test's own npm run leaks into it. */
export const cleanEnv = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_cache)|NODE_ENV|VITEST|PORT|INIT_CWD|FORCE_COLOR)/i.test(name),
    ),
  ),
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
  npm_config_prefer_offline: 'true',
  ...more,
})

export interface Ready {
  ready: true
  url: string
  endpoint: string
  sandbox: string
  port: number
  workers: number
  services: string[]
  api: { baseUrl: string }
}

/** Starts a command that prints a ready line as JSON, and waits for it. */
export function startReady(command: string, args: string[], cwd: string, env = cleanEnv()) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  endWithProcess(child, { isGroup: true })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const ready = new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"ready":true')) resolve(JSON.parse(line))
    })
    child.once('exit', (code) => reject(new Error(`ended with exit code ${code}\n${errors}`)))
  })
  return { child, ready }
}

/** Ends a command with everything it started. */
export async function end(
  child: ChildProcess | undefined,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, signal)
  await ended
}
