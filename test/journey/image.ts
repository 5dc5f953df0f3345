import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { endWithProcess } from '../end-with-process.ts'
import { cleanEnv, run } from './project.ts'

/** Runs a Dockerfile in a folder of this machine. */
export interface Image {
  folder: string
  env: Record<string, string>
  command: string[]
  healthCheck: string[]
}

/** Whether this user may start a process as the first one of a tree of its own, as containers do. */
const hasTrees = spawnSync('unshare', ['--pid', '--fork', '--kill-child', 'true']).status === 0

/** Carries out the Dockerfile of `context` in `folder`, without Docker. Throws for an instruction that it does not know. */
export async function buildImage(context: string, folder: string): Promise<Image> {
  mkdirSync(folder)
  const image: Image = { folder, env: {}, command: [], healthCheck: [] }
  const lines = readFileSync(join(context, 'Dockerfile'), 'utf8').split('\n')
  for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
    const [, instruction, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (instruction === 'COPY') {
      const names = rest.split(' ').slice(0, -1)
      const found = names.flatMap((name) => (name === '.' ? name : globSync(name, { cwd: context })))
      copy(context, folder, found)
    } else if (instruction === 'RUN') {
      // There is no user `node` on this machine.
      const command = rest.replace(' && chown node data', '')
      await run('sh', ['-c', command], { cwd: folder, env: cleanEnv(image.env) })
    } else if (instruction === 'ENV') {
      const [name, value] = rest.split('=')
      image.env[name!] = value!
    } else if (instruction === 'CMD') image.command = JSON.parse(rest)
    else if (instruction === 'HEALTHCHECK') image.healthCheck = JSON.parse(rest.slice(rest.indexOf('[')))
    else if (!['FROM', 'WORKDIR', 'USER', 'VOLUME', 'EXPOSE'].includes(instruction ?? ''))
      throw new Error(`This test knows no ${line}`)
  }
  return image
}

/** `.` is everything but what `.dockerignore` names; a line that begins with `!` names what is copied all the same. */
function copy(context: string, folder: string, names: string[]): void {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').trim().split('\n')
  const ignored = new Set<string>()
  for (const line of lines) {
    const found = globSync(line.replace(/^!/, ''), { cwd: context })
    for (const path of found) ignored[line.startsWith('!') ? 'delete' : 'add'](path)
  }
  const filter = (path: string) => !ignored.has(relative(context, path))
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(context, name), join(folder, name), { recursive: true, filter })
  }
}

/** Runs the image: its command is process 1 of a tree of its own, where this user may make one. */
export function runImage({ folder, env, command }: Image, more: Record<string, string>) {
  const tree = hasTrees ? ['unshare', '--pid', '--fork', '--kill-child'] : []
  const [first, ...args] = [...tree, ...ownNode(command)]
  const where = { cwd: folder, env: cleanEnv({ ...env, ...more }), detached: true }
  const child = spawn(first!, args, { ...where, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithProcess(child, { isGroup: true })
  return {
    child,
    ended: new Promise<number | null>((resolve) => child.once('exit', resolve)),
    /** As a runtime sends it: to the first process of the tree alone. */
    kill: (signal: NodeJS.Signals) => process.kill(firstOf(child), signal),
  }
}

/** Whether the health check of the image finds it well. */
export function isHealthy({ folder, healthCheck }: Image, env: Record<string, string>): boolean {
  const [command, ...args] = ownNode(healthCheck)
  return spawnSync(command!, args, { cwd: folder, env: cleanEnv(env) }).status === 0
}

const ownNode = ([command, ...args]: string[]): string[] => [
  command === 'node' ? process.execPath : command!,
  ...args,
]

const firstOf = ({ pid }: ChildProcess): number =>
  hasTrees ? Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) : pid!
