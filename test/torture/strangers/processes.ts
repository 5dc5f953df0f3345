import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The command line of this working copy. */
export const sourceMain = new URL('../../../src/cli/main.ts', import.meta.url).pathname

/** Starts a script of this folder. `openFiles` is how many files and sockets its process may have open. */
export function start(script: string, args: string[] = [], openFiles?: number) {
  const file = new URL(script, import.meta.url).pathname
  const command = [process.execPath, '--max-old-space-size=512', file, ...args]
  const limited = ['-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...command]
  const [program, ...rest] = openFiles === undefined ? command : ['sh', ...limited]
  const child = spawn(program!, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  return { child, line: async () => String((await lines.next()).value) }
}

/** A provider of two shops in a process of its own, in memory. */
export const startProvider = (openFiles?: number) => startedWith(['memory', '200', '1000'], openFiles)

/** The same with the limits of production, on a store of this address. */
export const startVisitedProvider = (store: string) => startedWith([store])

async function startedWith(args: string[], openFiles?: number) {
  const { child, line } = start('./visited.ts', args, openFiles)
  const { port, endpoints } = JSON.parse(await line()) as { port: number; endpoints: [string, string] }
  const end = async () => {
    const ended = child.exitCode === null && once(child, 'exit')
    child.stdin!.end()
    await ended
  }
  const look = async () => {
    child.stdin!.write('look\n')
    return JSON.parse(await line()) as { peak_mb: number; turns: number[] }
  }
  /** The most memory that it has had at a time, in MiB. */
  const peakMemory = async () => (await look()).peak_mb
  return { port, endpoints, end, peakMemory, look }
}

export type StartedProvider = Awaited<ReturnType<typeof startProvider>>

export const atPercent = (times: readonly number[], percent: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length * percent) / 100)]!
