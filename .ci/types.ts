import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entryPoints } from './docs/reference.ts'

/** Shows a store without its commands: they are ours alone, and so are their types and the packages that these are made of. */
export function hideCommands(dist: string): void {
  const file = join(dist, 'store-port.d.ts')
  const names = [...readFileSync(file, 'utf8').matchAll(/export type (?:(\w+)|\{([^}]*)\})/g)]
    .flatMap(([, one = '', several = one]) => several.split(','))
    .map((name) => name.trim())
  const ours = names.filter((name) => name !== '' && name !== 'StorePort')
  const types = ours.map((name) => `export type ${name} = any;\n`).join('')
  writeFileSync(file, `import type { Store } from './store.js';\nexport type StorePort = Store;\n${types}`)
}

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
