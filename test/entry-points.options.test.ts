import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { builtTypes } from './built.ts'
import { type DeclaredOption, declaredOptions } from './declared-options.ts'
import { folderWith } from './folder.ts'

const repository = new URL('..', import.meta.url).pathname
const { exports: paths } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  exports: Record<string, string>
}
// `purveyor/contract` has schemas, and no functions with options.
const entries = Object.entries(paths).flatMap(([path, file]) =>
  file.endsWith('.js') && path !== './contract' ? [file.replace('./dist/', '').replace(/js$/, 'd.ts')] : [],
)

const folder = folderWith({}, join(repository, 'node_modules/.cache'))

/** Words that say in which unit a number is, or what it counts. */
const unit =
  /milliseconds|\bseconds\b|\bdays\b|\bpixels\b|\bbytes\b|[KM]iB|characters|kilometres|degrees|percent|%|fraction|currency|minor units|per second|unit|cubic|\bfrom 0 to 1\b|number of|how many|most|least|counted|calls|connections|tries|retries|records|port|\bid\b|HTTP status/i
const fallback = /\bdefault\b|\bwithout (?:it|one|a|both)\b/i

/** Members of what Purveyor makes, which users hand on: results, orders, records and requests. */
const handedOn =
  /^(?:junitOf|handlingOf)\(|^createCharges\(0\)\.client|\.setProvider\(|^\w+\(\)\.(?:methods|start|quote)\(0\)/

/** The reason why an editor does not help with an option; `undefined` if it does. */
function faultOf({ path, file, doc, isOptional, isFigure, isArgument }: DeclaredOption): string | undefined {
  // Messages of the contract, which adapters get and hand on.
  if (file.startsWith('contract/') || handedOn.test(path)) return undefined
  if (isFigure && !unit.test(doc)) return 'no unit'
  if (isFigure && isOptional && isArgument && !fallback.test(doc)) return 'no default'
  if (isOptional && isArgument && doc === '') return 'no docstring'
  return undefined
}

const faultsOf = (options: readonly DeclaredOption[]) =>
  options.flatMap((option) => {
    const fault = faultOf(option)
    return fault ? [`${option.path}: ${fault}${option.doc && `, in "${option.doc}"`}`] : []
  })

let options: DeclaredOption[]
beforeAll(async () => {
  options = declaredOptions(await builtTypes(), entries, folder)
})

test('every option of every front door is found', () => {
  const found = options.map(({ path }) => path)
  expect(found).toEqual(
    expect.arrayContaining([
      'createProvider(0).http.stopDelay',
      'createProvider(0).rates.deadline',
      'createProvider().stop(0).linger',
      'flatRate(0).freeFrom',
      'tableRates(0).parcel.maxWeight',
      'pickupPoints(0).pointsCache.ttl',
      'createPlatformClient(0).patience',
      'createSandbox(0).timeout',
      'checkProvider(1).timeout',
      'checkoutBody(0).weight',
    ]),
  )
  expect(found.length).toBeGreaterThan(400)
})

test('an editor shows the unit and the default of each option', () => {
  expect(faultsOf(options)).toEqual([])
})

test('an option without unit or default is found, however it is declared', () => {
  const text = `interface Inner {
  /** How long. Default: for ever. */
  wait?: number
}
/** Times are in milliseconds. */
export interface Options {
  /** In milliseconds. */ ttl: number
  /** In milliseconds. */ noDefault?: number
  size?: string
  name: string
  inner?: Inner
  answer: () => { weight: number; label?: string }
  called: (ctx: { now: number; after(options: { ms: number }): void }) => void
}
export declare function make(options: Options | Pick<{ port: number }, 'port'>): { go(how?: { patience?: number }): Promise<void> }
`
  const types = join(folder, 'made')
  mkdirSync(types)
  writeFileSync(join(types, 'made.d.ts'), text)
  expect(faultsOf(declaredOptions(types, ['made.d.ts'], join(folder, 'doors')))).toEqual([
    'make(0).noDefault: no default, in "In milliseconds."',
    'make(0).size: no docstring',
    'make(0).inner: no docstring',
    'make(0).inner.wait: no unit, in "How long. Default: for ever."',
    'make(0).answer().weight: no unit',
    'make(0).called(0).after(0).ms: no unit',
    'make(0).port: no unit',
    'make().go(0).patience: no unit',
  ])
})
