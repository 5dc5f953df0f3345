import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtTypes } from './built.ts'

const repository = new URL('..', import.meta.url).pathname

interface Locked {
  dev?: boolean
  dependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}

const topLevel = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/

/**
 * Puts the packages into `node_modules` of a folder that npm would put there for `purveyor` and these others, as links to those of the
 * repository. `purveyor` itself is a copy of what is packed, without its code: a compiler finds nothing below it that users would not have.
 * Compile with `--preserveSymlinks`.
 */
export async function linkPackages(folder: string, others: readonly string[] = []): Promise<void> {
  linkDependencies(folder, others)
  const own = join(folder, 'node_modules/purveyor')
  mkdirSync(own)
  cpSync(join(repository, 'package.json'), join(own, 'package.json'))
  cpSync(await builtTypes(), join(own, 'dist'), { recursive: true })
}

/** As `linkPackages`, without `purveyor` itself. */
export function linkDependencies(folder: string, others: readonly string[] = []): void {
  const modules = join(folder, 'node_modules')
  const production = Object.entries(packages).flatMap(([path, { dev }]) =>
    dev ? [] : (topLevel.exec(path)?.[1] ?? []),
  )
  for (const name of withDependencies([...production, ...others])) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(repository, 'node_modules', name), join(modules, name))
  }
}

/** Puts the commands of these packages into `node_modules/.bin` of a folder, as npm does. */
export function linkCommands(folder: string, names: readonly string[]): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const name of names) {
    const { bin = {} } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as {
      bin?: Record<string, string>
    }
    for (const [command, path] of Object.entries(bin)) {
      const file = realpathSync(join(modules, name, path))
      chmodSync(file, 0o755)
      symlinkSync(file, join(modules, '.bin', command))
    }
  }
}

function withDependencies(names: readonly string[]): Set<string> {
  const all = new Set(names)
  for (const name of all)
    for (const next of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}))
      if (existsSync(join(repository, 'node_modules', next))) all.add(next)
  return all
}
