import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { builtPackage } from '../built.ts'
import { commandsIn, folderWith, providerSource } from './command.ts'

/** Lists the files that a process loads, once it ends. */
const lister = `import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const loaded = []
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded.push(url)
    return next(url, context)
  },
})
process.on('exit', () => {
  const builtIn = process.moduleLoadList
  writeFileSync(process.env.LOADED_FILES, JSON.stringify({ loaded, builtIn }))
})
`

/** Runs a command beside a provider.ts. Resolves with the files that it loads, by package, and with the modules of Node itself. */
async function loadedBy(line: string, source = providerSource()) {
  const cwd = folderWith({ 'lister.mjs': lister, 'provider.ts': source })
  const list = join(cwd, 'loaded.json')
  const env = { NODE_OPTIONS: `--import=${join(cwd, 'lister.mjs')}`, LOADED_FILES: list }
  const { code } = await commandsIn(cwd, env)(line)
  const { loaded, builtIn } = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>
  const own = pathToFileURL(await builtPackage()).href
  const packageOf = (url: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'provider'
  const files = Object.groupBy(loaded!, (url) => (url.startsWith(own) ? 'purveyor' : packageOf(url)))
  return { code, total: loaded!.length, files, builtIn: builtIn! }
}

const named = providerSource().replace('export default', 'const provider =')

/** Node's fetch and WebSocket, which take longer to load than a command takes. */
const fetchOfNode = 'NativeModule internal/deps/undici/undici'

// Each file costs about a third of a millisecond: these bounds keep `--version` below 100 ms and `shop add` below 300 ms.
describe.concurrent('a command loads few files', () => {
  test('--version loads nothing but what reads the command line', async () => {
    const { code, total, files } = await loadedBy('--version')
    expect([code, Object.keys(files)]).toEqual([0, ['purveyor']])
    expect(total).toBeLessThan(10)
  })

  test('shop add loads no package that answers or makes calls', async () => {
    const { code, total, files, builtIn } = await loadedBy('shop add bikes')
    expect(code).toBe(0)
    expect(files.provider).toHaveLength(1)
    expect(files.purveyor!.length).toBeLessThan(41)
    // zod itself loads the messages of all languages.
    expect(total).toBeLessThan(142)
    const answering = 'express helmet pino image-size intl-messageformat @prometheus-io/client'.split(' ')
    for (const name of [...answering, 'kysely', 'pg', 'undici', '@opentelemetry/api'])
      expect(Object.keys(files)).not.toContain(name)
    expect(builtIn).toContain('NativeModule fs')
    expect(builtIn).not.toContain(fetchOfNode)
    // Only a node that starts asks whether it is a worker.
    expect(builtIn).not.toContain('NativeModule cluster')
  })

  test('a provider listens without what only fetch needs', async () => {
    const source = `${named}
await provider.listen({ port: 0 })
await provider.stop()
export default provider
`
    const { files, builtIn } = await loadedBy('shop list', source)
    expect(Object.keys(files)).toContain('express')
    expect(builtIn).toContain('NativeModule http')
    expect(builtIn).not.toContain(fetchOfNode)
  })
})

test('the moving clock, which runs ahead of a provider, loads nothing of the rest', async () => {
  const files = new Set([join(await builtPackage(), 'dist/cli/dev/moving-clock.js')])
  for (const file of files)
    for (const [, next] of readFileSync(file, 'utf8').matchAll(/^import .*from "(\..+)";$/gm))
      files.add(join(dirname(file), next!))
  expect(files.size).toBeGreaterThan(1)
  const size = [...files].reduce((sum, file) => sum + statSync(file).size, 0)
  expect(size).toBeLessThan(20_000)
})

/** A provider.ts whose list of shops does this. */
const listing = (imports: string, list: string) => `${imports}
${named}
export default { ...provider, shops: { ...provider.shops, list: async () => { ${list} } } }
`

describe.concurrent("what a provider's file imports is what the command line uses", () => {
  const says = (text: string, code: string) =>
    `purveyor: ${text}\nCode: ${code}. More: purveyor explain ${code}`
  const forbidden = says(
    'GET /: of purveyor/platform. Ask the merchant to give the key this permission.',
    'PLATFORM_FORBIDDEN',
  )
  const call = "'of purveyor/platform', { method: 'GET', path: '/' }"
  const same = (name: string, one: string, other: string) =>
    `import { ${name} } from '${one}'\nimport { ${name} as same } from '${other}'`
  test.for<[imports: string, list: string, code?: number, err?: string]>([
    [
      "import { PurveyorError } from 'purveyor'",
      "throw new PurveyorError('UNKNOWN_SHOP', 'of purveyor')",
      2,
      says('of purveyor', 'UNKNOWN_SHOP'),
    ],
    [
      "import { PlatformError } from 'purveyor/platform'",
      `throw new PlatformError('PLATFORM_FORBIDDEN', ${call})`,
      3,
      forbidden,
    ],
    [
      "import { flatRate } from 'purveyor/rates'",
      "return flatRate({ id: 'a', title: 'A', excl: '5', taxRate: '0' }).name === 'a' ? [] : null",
    ],
    [same('Problem', 'purveyor', 'purveyor/contract'), 'return Problem === same ? [] : null'],
    [
      same('checkProvider', 'purveyor/testing', 'purveyor/conformance'),
      'return checkProvider === same ? [] : null',
    ],
  ])('%s', async ([imports, list, code = 0, err = '']) => {
    const cwd = folderWith({ 'provider.ts': listing(imports, list) })
    expect(await commandsIn(cwd)('shop list')).toMatchObject({ code, err })
  })
})
