import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const cache = new URL('../node_modules/.cache/purveyor-debian', import.meta.url).pathname

/** A program of one of Debian's packages. Nothing is installed. */
export interface DebianProgram {
  path: string
  /** What its process needs of the environment. */
  env: Record<string, string>
}

/**
 * A program of a Debian package with the libraries that this machine lacks, unpacked once. Without a `program` there is a reason why not: the
 * machine is no Debian, or its packages cannot be reached. Then the tests that need it are skipped, and the reason is printed.
 */
export function fromDebian(name: string, program: string): { program?: DebianProgram; missing?: string } {
  const folder = join(cache, name)
  try {
    if (!existsSync(folder)) unpack(name, program, folder)
    const libraries = join(folder, 'lib')
    return { program: { path: join(folder, program), env: { LD_LIBRARY_PATH: libraries } } }
  } catch (error) {
    const missing = `skipped: ${program} of Debian's package ${name} is not to be had: ${reasonOf(error)}`
    process.stderr.write(`${missing}\n`)
    return { missing }
  }
}

/** As `fromDebian`, but the one of this machine if it has one. `variable` may name another. */
export function programOf(name: string, program: string, variable: string): ReturnType<typeof fromDebian> {
  const path = process.env[variable] ?? program
  const isThere = spawnSync(path, ['--version']).status === 0
  // Debian puts a server such as pgbouncer into a folder that a process without `PATH` does not look into.
  return isThere ? { program: { path, env: { PATH: process.env.PATH ?? '' } } } : fromDebian(name, program)
}

function unpack(name: string, program: string, folder: string): void {
  const work = mkdtempSync(join(tmpdir(), 'purveyor-debian-'))
  try {
    const apt = aptIn(work, name)
    const [packages, root] = [join(work, 'packages'), join(work, 'root')]
    mkdirSync(packages)
    apt('apt-get', ['download', name, ...lackedBy(name, apt)], packages)
    for (const file of globSync('*.deb', { cwd: packages })) run('dpkg-deb', ['-x', file, root], packages)
    const [found] = globSync(`usr/{bin,sbin}/${program}`, { cwd: root })
    if (found === undefined) throw new Error('it is not in there')
    const unfinished = join(work, 'unfinished')
    mkdirSync(join(unfinished, 'lib'), { recursive: true })
    copyFileSync(join(root, found), join(unfinished, program))
    for (const library of globSync('{usr/lib,lib}/*/*.so.*', { cwd: root }))
      copyFileSync(join(root, library), join(unfinished, 'lib', basename(library)))
    mkdirSync(cache, { recursive: true })
    const beside = `${folder}.${process.pid}`
    cpSync(unfinished, beside, { recursive: true })
    renameSync(beside, folder)
  } catch (error) {
    // Another file of tests has unpacked it meanwhile.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

type Apt = (command: 'apt-get' | 'apt-cache', args: readonly string[], folder?: string) => string

/** With the lists of packages that the machine has, or else with lists of its own. */
function aptIn(work: string, name: string): Apt {
  const own: string[] = []
  const apt: Apt = (command, args, folder = work) => run(command, [...own, ...args], folder)
  if (!apt('apt-cache', ['policy', name]).includes('Candidate')) {
    mkdirSync(join(work, 'lists/partial'), { recursive: true })
    own.push('-o', `Dir::State::lists=${work}/lists`, '-o', `Dir::Cache=${work}`)
    apt('apt-get', ['update'])
  }
  return apt
}

/** The libraries that it depends on and that are not installed. */
function lackedBy(name: string, apt: Apt): string[] {
  const depends = apt('apt-cache', ['depends', name]).matchAll(/^\s+Depends: (lib(?!js-)\S+)$/gm)
  return [...depends].flatMap(([, library]) => {
    const { stdout } = spawnSync('dpkg', ['-s', library!], { encoding: 'utf8' })
    return stdout.includes('install ok installed') ? [] : [library!]
  })
}

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000, stdio: ['ignore', 'pipe', 'pipe'] })

function reasonOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr?.trim() || message).split('\n').at(-1)!
}
