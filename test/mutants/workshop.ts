import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary.ts'
import type { Order, Result } from './worker.ts'

export const repository = new URL('../../', import.meta.url).pathname

/** The data kept from one run to the next. */
export const cache = join(repository, 'node_modules/.cache/purveyor-mutants')

/** The files that git tracks or would add: nothing installed or built. */
const sources = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: repository, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(repository, file)))

/** A copy of the repository with one process that runs tests in it. The work tree itself is never touched. */
export class Workshop {
  readonly #folder = temporaryFolder()
  readonly #mode: 'look' | 'run'
  #worker: ChildProcess | undefined
  /** Files that changed since the worker read them. */
  #changed: string[] = []

  /** `look`: notes which functions each test file calls. */
  constructor(mode: 'look' | 'run') {
    this.#mode = mode
    for (const file of sources()) cpSync(join(repository, file), this.#folder.at(file))
    symlinkSync(join(repository, 'node_modules'), this.#folder.at('node_modules'))
  }

  get path(): string {
    return this.#folder.path
  }

  /** Runs one test file. One that is not over within so many milliseconds is ended and has failed. */
  async run(test: string, within: number): Promise<Result> {
    const worker = await this.#ready()
    const over = new AbortController()
    let isOver = false
    const result = Promise.race([
      once(worker, 'message', over).then(([answer]) => answer as Result),
      once(worker, 'exit', over).then(() => ({
        failed: `${test}: ${isOver ? 'not over in time' : 'its process ended'}`,
      })),
    ])
    const limit = setTimeout(() => {
      isOver = true
      this.#end()
    }, within)
    worker.send({ test, changed: this.#changed.splice(0) } satisfies Order)
    try {
      return await result
    } finally {
      clearTimeout(limit)
      over.abort()
    }
  }

  /** The functions of each source file that the last test file called. */
  called(): Record<string, string[]> {
    return JSON.parse(readFileSync(this.#folder.at('called.json'), 'utf8'))
  }

  /** Puts changed files into the copy, by their path in it, while something is done. */
  async with<T>(changed: ReadonlyMap<string, string>, work: () => Promise<T>): Promise<T> {
    const sound = [...changed.keys()].map(
      (file) => [file, readFileSync(this.#folder.at(file), 'utf8')] as const,
    )
    const write = (files: Iterable<readonly [string, string]>) => {
      for (const [file, text] of files) {
        writeFileSync(this.#folder.at(file), text)
        this.#changed.push(file)
      }
    }
    write(changed)
    try {
      return await work()
    } finally {
      write(sound)
    }
  }

  /** Whether the compiler refuses the copy as it is. Only what has changed since the last time is checked again. */
  refusedByTypes(): Promise<boolean> {
    const tsc = this.#folder.at('node_modules/.bin/tsc')
    const args = ['-p', '.', '--incremental', '--tsBuildInfoFile', '.types.json']
    return new Promise((resolve) =>
      execFile(tsc, args, { cwd: this.#folder.path }, (error) => resolve(error !== null)),
    )
  }

  close(): void {
    this.#end()
    this.#folder[Symbol.dispose]()
  }

  async #ready(): Promise<ChildProcess> {
    if (this.#worker?.connected) return this.#worker
    const script = join(import.meta.dirname, 'worker.ts')
    const worker = fork(script, [this.#folder.path, this.#mode], { detached: true, stdio: 'ignore' })
    this.#worker = worker
    await once(worker, 'message')
    return worker
  }

  /** With all that the tests have started. */
  #end(): void {
    const { pid } = this.#worker ?? {}
    this.#worker = undefined
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
