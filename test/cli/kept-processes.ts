import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { endWithProcess } from '../end-with-process.ts'
import { isLong } from '../long.ts'
import type { Order } from './run-commands.ts'

const script = new URL('./run-commands.ts', import.meta.url).pathname

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** Commands that wait, such as a scenario, hold up those behind them no longer than this, in milliseconds. */
const standInLine = 2_000

/** How long the rest of the output of a process that was killed may take, in milliseconds. */
const afterExit = 1_000

/**
 * Runs commands in processes that go on to the next command, and end with this one. Loading takes longer than most commands, so a command
 * waits for the only process for a moment before it starts another one. A command with workers or options of Node gets a process of its
 * own; so does every command in the long form of the tests.
 */
export function keepProcesses(node: string): (order: Order, patience: number) => Promise<Ended> {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()

  function start(): ChildProcess {
    const child = spawn(node, [script], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8')
    child.unref()
    all.add(child)
    // One that has ended runs no other command.
    child.once('exit', () => {
      all.delete(child)
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1)
    })
    return child
  }

  const inLine: ((child: ChildProcess) => void)[] = []

  /** A process that is free, or a new one where none gets free in a moment. */
  function free(): Promise<ChildProcess> | ChildProcess {
    const child = idle.pop()
    if (child) return child
    if (all.size === 0) return start()
    return new Promise((resolve) => {
      const take = (one: ChildProcess) => {
        clearTimeout(timer)
        inLine.splice(inLine.indexOf(take), 1)
        resolve(one)
      }
      const timer = setTimeout(() => take(start()), standInLine)
      inLine.push(take)
    })
  }

  function release(child: ChildProcess): void {
    const next = inLine[0]
    if (!all.has(child)) next?.(start())
    else if (next) next(child)
    else idle.push(child)
  }

  return async (order, patience) => {
    const isAlone = isLong || order.args.includes('--workers') || 'NODE_OPTIONS' in order.env
    if (isAlone) return endOf(spawnAlone(node, order), patience)
    const child = await free()
    ;(child.stdio[3] as Writable).write(`${JSON.stringify(order)}\n`)
    const ended = await endOf(child, patience)
    release(child)
    return ended
  }
}

const spawnAlone = (node: string, { main, args, cwd, env }: Order): ChildProcess => {
  const child = spawn(node, [main, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithProcess(child)
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8')
  return child
}

/** The end of a command: of its process, or the marks that its process writes behind both outputs. */
function endOf(child: ChildProcess, patience: number): Promise<Ended> {
  const read = { stdout: '', stderr: '' }
  return new Promise((resolve) => {
    // What it started may hold its outputs open.
    const timer = setTimeout(() => {
      child.once('exit', (code, signal) => setTimeout(onClose, afterExit, code, signal))
      child.kill('SIGKILL')
    }, patience)
    const add = (name: 'stdout' | 'stderr') => (chunk: string) => {
      read[name] += chunk
      const [, stdout = '', code] = /^(.*)\0(\d+)\0$/s.exec(read.stdout) ?? []
      if (code === undefined || !read.stderr.endsWith('\0')) return
      // What makes files of the test's own be read anew.
      const plain = (text: string) => text.replace(/\?command=\d+/g, '')
      finish({
        code: Number(code),
        signal: null,
        stdout: plain(stdout),
        stderr: plain(read.stderr.slice(0, -1)),
      })
    }
    const onOutput = add('stdout')
    const onError = add('stderr')
    const onClose = (code: number | null, signal: NodeJS.Signals | null) => finish({ code, signal, ...read })
    const finish = (ended: Ended) => {
      clearTimeout(timer)
      child.stdout!.off('data', onOutput)
      child.stderr!.off('data', onError)
      child.off('close', onClose)
      resolve(ended)
    }
    child.stdout!.on('data', onOutput)
    child.stderr!.on('data', onError)
    child.on('close', onClose)
  })
}
