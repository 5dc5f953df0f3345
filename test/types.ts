import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeUnused } from './built.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
/** Inside the repository, where the declarations find packages. */
const all = join(repository, 'node_modules/.cache/purveyor-types')

/** The folder of declaration files that `tsc -p src` writes, for the source of now. */
export function builtTypes(): string {
  const hash = createHash('sha256')
  for (const file of globSync(['src/**/*.ts', 'src/tsconfig.json', 'tsconfig.json'], {
    cwd: repository,
  }).sort())
    hash.update(`${file}\n`).update(readFileSync(join(repository, file)))
  const folder = join(all, hash.digest('hex').slice(0, 16))
  mkdirSync(all, { recursive: true })
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', 'src', '--outDir', unfinished], {
      cwd: repository,
    })
    try {
      renameSync(unfinished, folder)
    } catch (error) {
      rmSync(unfinished, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  utimesSync(folder, new Date(), new Date())
  removeUnused(all)
  return folder
}
