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
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
/** Below node_modules, where the code finds its dependencies. */
const builds = join(repository, 'node_modules/.cache/purveyor-builds')
const aDay = 24 * 3_600_000

/**
 * The package as users install it, without its types. Resolves with its folder. It is built from the source of now: a build is named by a
 * hash of everything it is made from.
 */
export async function builtPackage(): Promise<string> {
  const folder = join(builds, hashOfSource())
  mkdirSync(builds, { recursive: true })
  if (!existsSync(folder)) await build(folder)
  utimesSync(folder, new Date(), new Date())
  removeUnused(builds)
  return folder
}

function hashOfSource(): string {
  const hash = createHash('sha256')
  const files = globSync(
    ['.ci/bundle.ts', 'package.json', 'package-lock.json', 'docs/**', 'src/**', 'templates/**'],
    { cwd: repository },
  )
  for (const file of files.sort()) {
    const path = join(repository, file)
    if (statSync(path).isFile()) hash.update(`${file}\n`).update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Another run of tests may build the same at this moment. */
async function build(folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`
  const { bundle } = await import('../.ci/bundle.ts')
  await bundle(join(unfinished, 'dist'))
  for (const part of ['package.json', 'docs', 'templates'])
    cpSync(join(repository, part), join(unfinished, part), { recursive: true })
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}

/** Removes what nobody has used for a day. */
export function removeUnused(from: string): void {
  for (const name of readdirSync(from)) {
    const folder = join(from, name)
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (used < Date.now() - aDay) rmSync(folder, { recursive: true, force: true })
  }
}
