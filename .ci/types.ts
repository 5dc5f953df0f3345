import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entryPoints } from './docs/reference.ts'

/** Shows a store without its commands: they are ours alone, and so are the packages that their types are made of. */
export const hideCommands = (dist: string): void =>
  writeFileSync(
    join(dist, 'store-port.d.ts'),
    "import type { Store } from './store.js';\nexport type StorePort = Store;\n",
  )

/** Makes the declaration files smaller: removes those that no entry point of the package leads to, half of all, and indents by tabs. */
export function shrinkTypes(dist: string): void {
  hideCommands(dist)
  const kept = new Set(entryPoints().map(({ file }) => join(dist, file)))
  for (const file of kept) {
    const text = readFileSync(file, 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      const next = join(dirname(file), path.replace(/\.[jt]s$/, '.d.ts'))
      if (!existsSync(next)) throw new Error(`${file} imports ${path}, which is not there`)
      kept.add(next)
    }
    writeFileSync(
      file,
      text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
    )
  }
  for (const file of globSync('**/*.d.ts', { cwd: dist }))
    if (!kept.has(join(dist, file))) rmSync(join(dist, file))
}
