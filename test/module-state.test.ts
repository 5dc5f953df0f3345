import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const src = new URL('../src/', import.meta.url).pathname

/** Each is the same for every provider of a process, or belongs to the process itself. */
const allowed: Record<string, string> = {
  'rates/files/cells.ts names': 'the names of Intl, made for the first code',
  'cli/docs/search.ts wordsFor': 'the words of these pages by those of others',
  'cli/terminal/progress.ts current': 'the line at the foot of the terminal of the process',
  'money/forms.ts formats': 'the format of a currency in a language',
  'observability/metrics.ts ofProcess':
    'event loop, memory and CPU of the process, for any number of providers',
  'observability/metrics.ts running': 'the providers of the process, whose numbers a worker sends',
  'provider/configuration.ts schemas': 'the settings of development and of production',
  'sandbox/api/resources.ts rows': 'the resources of the API, which a start does not need',
  'sandbox/options.ts calls': 'the readers of options, which a start does not need',
  'sandbox/pages/fields.ts countries': 'the countries by their names',
  'store/postgres/connection.ts names': 'the name that a query has',
  'stores/sqlite.ts inMemory': 'the commands of every store in memory',
}

const growing = ['Map', 'Set', 'WeakMap', 'WeakSet', 'LRUCache']

/** The names of variables, and of collections that begin empty, that a file declares outside its functions. */
function stateOf(code: string): string[] {
  const statements = parseSync('a.ts', code).program.body.map((one) =>
    one.type === 'ExportNamedDeclaration' && one.declaration ? one.declaration : one,
  )
  return statements.flatMap((one) => {
    if (one.type !== 'VariableDeclaration') return []
    return one.declarations.flatMap(({ id, init }) => {
      const begins =
        (init?.type === 'NewExpression' &&
          init.callee.type === 'Identifier' &&
          growing.includes(init.callee.name) &&
          init.arguments.every(({ type }) => type === 'ObjectExpression')) ||
        (init?.type === 'ArrayExpression' && init.elements.length === 0) ||
        (init?.type === 'ObjectExpression' && init.properties.length === 0)
      return (one.kind !== 'const' || begins) && id.type === 'Identifier' ? [id.name] : []
    })
  })
}

test('state lives in an object with an owner: what a module itself keeps is the same for all, and listed here', () => {
  expect(
    stateOf('let a = 1\nexport const b = new Map<string, 1>(), c = new Set([1])\nconst d: 1[] = []'),
  ).toEqual(['a', 'b', 'd'])
  const files = globSync('**/*.ts', { cwd: src })
  expect(files.length).toBeGreaterThan(300)
  const kept = files.flatMap((file) =>
    stateOf(readFileSync(`${src}${file}`, 'utf8')).map((name) => `${file} ${name}`),
  )
  expect(kept.sort()).toEqual(Object.keys(allowed).sort())
})
