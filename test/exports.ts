// What each entry point of the package exports, as the last section of ARCHITECTURE.md. Run by itself it writes that section.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const repository = new URL('../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, repository), 'utf8')

const lists = /^export (type )?\{([^}]*)\}/gm
const declarations = /^export (?:async )?(const|function|class|interface|type) (\w+)/gm
const wholes = /^export \* from '([^']+)'/gm

interface Exports {
  values: string[]
  types: string[]
}

function exportsOf(file: string): Exports {
  const source = read(file)
  const others = [...source.matchAll(wholes)].map(([, other]) => exportsOf(join(dirname(file), other!)))
  const named = [...source.matchAll(lists)].flatMap(([, allTypes, list = '']) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .map((one) => ({
        isType: allTypes !== undefined || one.startsWith('type '),
        name: one.replace(/^type /, '').replace(/^\w+ as /, ''),
      })),
  )
  const declared = [...source.matchAll(declarations)].map(([, kind = '', name = '']) => ({
    isType: ['interface', 'type'].includes(kind),
    name,
  }))
  const sorted = (types: boolean) =>
    [
      ...new Set([
        ...[...named, ...declared].filter(({ isType }) => isType === types).map(({ name }) => name),
        ...others.flatMap((other) => (types ? other.types : other.values)),
      ]),
    ].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
  return { values: sorted(false), types: sorted(true) }
}

/** Each entry point by its name, such as `purveyor/rates`. */
export function entryPoints(): Map<string, Exports> {
  const { name, exports } = JSON.parse(read('package.json')) as {
    name: string
    exports: Record<string, string>
  }
  const sources = Object.entries(exports).filter(([, file]) => file.endsWith('.js'))
  return new Map(
    sources.map(([path, file]) => [
      `${name}${path.slice(1)}`,
      exportsOf(file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
    ]),
  )
}

const start = '## Exports\n'
const intro = '`node test/exports.ts` writes this section from the entry points in `package.json`.'

/** Names in rows of at most 100 characters. */
function rowsOf(names: readonly string[]): string[] {
  const rows: string[] = []
  for (const name of names) {
    const row = `${rows.at(-1) ?? ''} \`${name}\``
    if (rows.length > 0 && row.length <= 100) rows[rows.length - 1] = row
    else rows.push(` \`${name}\``)
  }
  return rows.map((row) => row.trim())
}

/** ARCHITECTURE.md with its last section as it should be. */
export function withExports(page: string): string {
  const rows = [...entryPoints()].flatMap(([name, { values, types }]) =>
    Object.entries({ values, types }).flatMap(([kind, names]) =>
      rowsOf(names).map((row, at) => [at === 0 ? `\`${name}\`` : '', at === 0 ? kind : '', row]),
    ),
  )
  const cells = [['entry point', 'kind', 'names'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)))
  const [head, ...body] = cells.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`,
  )
  const table = [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')
  return `${page.slice(0, page.indexOf(start))}${start}\n${intro}\n\n${table}\n`
}

if (process.argv[1] === import.meta.filename) {
  const page = new URL('ARCHITECTURE.md', repository)
  writeFileSync(page, withExports(readFileSync(page, 'utf8')))
}
