// What each entry point of the package exports. Run by itself it prints them.
import { readFileSync } from 'node:fs'
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

if (process.argv[1] === import.meta.filename)
  for (const [name, { values, types }] of entryPoints())
    console.log(`${name}\n  values: ${values.join(' ')}\n  types: ${types.join(' ')}`)
