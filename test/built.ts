import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hideCommands } from '../.ci/types.ts'
import { isLong } from './long.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const aDay = 24 * 3_600_000
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  exports: Record<string, string>
}

/** What is built once for all tests, and again after a change of any of these files. */
interface Build {
  name: string
  from: string[]
  make(folder: string): Promise<void> | void
}

/**
 * The package as users install it, without its types. Resolves with its folder. It is built from the source of now: a build is named by a
 * hash of everything it is made from.
 */
export const builtPackage = (): Promise<string> =>
  built({
    name: 'builds',
    from: [
      '.ci/bundle.ts',
      '.ci/docs/**',
      'package.json',
      'package-lock.json',
      'docs/**',
      'src/**',
      'templates/**',
    ],
    async make(folder) {
      const { bundle } = await import('../.ci/bundle.ts')
      await bundle(join(folder, 'dist'))
      for (const part of ['package.json', 'docs', 'templates'])
        cpSync(join(repository, part), join(folder, part), { recursive: true })
    },
  })

/**
 * Options of Node for a process in which `purveyor` is the built package. It starts in less than half the time of the source, which Node
 * reads as 500 files.
 */
export async function withBuiltPackage(): Promise<string[]> {
  const folder = pathToFileURL(`${await builtPackage()}/`)
  const hooks = `import { registerHooks } from 'node:module'
    const exports = ${JSON.stringify(manifest.exports)}
    registerHooks({
      resolve(specifier, context, next) {
        const path = exports[specifier.replace(/^purveyor/, '.')]
        const isOurs = /^purveyor(\\/|$)/.test(specifier) && path
        return isOurs ? { url: new URL(path, '${folder}').href, shortCircuit: true } : next(specifier, context)
      },
    })`
  return ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
}

/** The folder of declaration files that `tsc -p src` writes. `npm test` checks all types by itself, so the short form only writes them. */
export const builtTypes = (): Promise<string> =>
  built({
    name: isLong ? 'checked-types' : 'types',
    from: ['src/**/*.ts', 'src/tsconfig.json', 'tsconfig.json', '.ci/types.ts'],
    make(folder) {
      // Each checker more goes through much of the same again, and the cores are busy with tests.
      const args = ['-p', 'src', '--outDir', folder, '--checkers', '1', '--noCheck', String(!isLong)]
      execFileSync('node_modules/.bin/tsc', args, { cwd: repository })
      hideCommands(folder)
    },
  })

/** The folder of `reference` and `site`, as `npm run -s docs` makes them. */
export const builtDocs = (): Promise<string> =>
  built({
    name: 'docs',
    from: ['.ci/docs/**', 'package.json', 'docs/**', 'src/**', '*.md'],
    async make(folder) {
      const { buildDocs } = await import('../.ci/docs/build.ts')
      await buildDocs(await builtTypes(), folder)
    },
  })

async function built({ name, from, make }: Build): Promise<string> {
  // Below node_modules, where the code finds its dependencies.
  const all = join(repository, `node_modules/.cache/purveyor-${name}`)
  const folder = join(all, hashOf(from))
  mkdirSync(all, { recursive: true })
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    await make(unfinished)
    try {
      renameSync(unfinished, folder)
    } catch (error) {
      // Another run of tests has built the same at this moment.
      rmSync(unfinished, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  utimesSync(folder, new Date(), new Date())
  removeUnused(all)
  return folder
}

function hashOf(patterns: string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync(patterns, { cwd: repository }).sort()) {
    const path = join(repository, file)
    if (statSync(path).isFile()) hash.update(`${file}\n`).update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Removes what nobody has used for a day. */
function removeUnused(from: string): void {
  for (const name of readdirSync(from)) {
    const folder = join(from, name)
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (used < Date.now() - aDay) rmSync(folder, { recursive: true, force: true })
  }
}
