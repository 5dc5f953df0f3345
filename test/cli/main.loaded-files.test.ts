import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { builtPackage } from '../built.ts'
import { folderWith, providerSource, purveyor } from './command.ts'

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
async function loadedBy(args: string[], source = providerSource()) {
  const cwd = folderWith({ 'lister.mjs': lister, 'provider.ts': source })
  const list = join(cwd, 'loaded.json')
  const { code } = await purveyor(args, {
    cwd,
    env: { NODE_OPTIONS: `--import=${join(cwd, 'lister.mjs')}`, LOADED_FILES: list },
  })
  const { loaded, builtIn } = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>
  const own = pathToFileURL(await builtPackage()).href
  const files = Object.groupBy(loaded!, (url) =>
    url.startsWith(own)
      ? 'purveyor'
      : (/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'provider'),
  )
  return { code, total: loaded!.length, files, builtIn: builtIn! }
}

/** Node's fetch and WebSocket, which take longer to load than a command takes. */
const fetchOfNode = 'NativeModule internal/deps/undici/undici'

// Each file costs about a third of a millisecond: these bounds keep `--version` below 100 ms and `shop add` below 300 ms.
describe.concurrent('a command loads few files', () => {
  test('--version loads nothing but what reads the command line', async () => {
    const { code, total, files } = await loadedBy(['--version'])
    expect([code, Object.keys(files)]).toEqual([0, ['purveyor']])
    expect(total).toBeLessThan(10)
  })

  test('shop add loads no package that answers or makes calls', async () => {
    const { code, total, files, builtIn } = await loadedBy(['shop', 'add', 'bikes'])
    expect(code).toBe(0)
    expect(files.provider).toHaveLength(1)
    expect(files.purveyor!.length).toBeLessThan(35)
    // zod itself loads the messages of all languages.
    expect(total).toBeLessThan(130)
    const answering = 'express helmet pino image-size intl-messageformat @prometheus-io/client'.split(' ')
    for (const name of [...answering, 'kysely', 'pg', 'undici', '@opentelemetry/api'])
      expect(Object.keys(files)).not.toContain(name)
    expect(builtIn).toContain('NativeModule fs')
    expect(builtIn).not.toContain(fetchOfNode)
    // Only a node that starts asks whether it is a worker.
    expect(builtIn).not.toContain('NativeModule cluster')
  })

  test('a provider listens without what only fetch needs', async () => {
    const source = `${providerSource().replace('export default', 'const provider =')}
await provider.listen({ port: 0 })
await provider.stop()
export default provider
`
    const { files, builtIn } = await loadedBy(['shop', 'list'], source)
    expect(Object.keys(files)).toContain('express')
    expect(builtIn).toContain('NativeModule http')
    expect(builtIn).not.toContain(fetchOfNode)
  })
})

test.each(['cli/dev/moving-clock.js'])(
  '%s, which runs ahead of a provider, loads nothing of the rest',
  async (entry) => {
    const files = new Set([join(await builtPackage(), 'dist', entry)])
    for (const file of files)
      for (const [, next] of readFileSync(file, 'utf8').matchAll(/^import .*from "(\..+)";$/gm))
        files.add(join(dirname(file), next!))
    expect(files.size).toBeGreaterThan(1)
    expect([...files].map((file) => statSync(file).size).reduce((sum, size) => sum + size)).toBeLessThan(
      20_000,
    )
  },
)

/** A provider.ts whose list of shops does this. */
const listing = (imports: string, list: string) => `${imports}
${providerSource().replace('export default', 'const provider =')}
export default { ...provider, shops: { ...provider.shops, list: async () => { ${list} } } }
`

describe.concurrent("what a provider's file imports is what the command line uses", () => {
  const forbidden =
    'purveyor: GET /: of purveyor/platform. Ask the merchant for the permission.\nCode: PLATFORM_FORBIDDEN. More: purveyor explain PLATFORM_FORBIDDEN\n'
  const unknown = 'purveyor: of purveyor\nCode: UNKNOWN_SHOP. More: purveyor explain UNKNOWN_SHOP\n'
  test.for<[imports: string, list: string, code?: number, stderr?: string]>([
    [
      "import { PurveyorError } from 'purveyor'",
      "throw new PurveyorError('UNKNOWN_SHOP', 'of purveyor')",
      2,
      unknown,
    ],
    [
      "import { PlatformError } from 'purveyor/platform'",
      "throw new PlatformError('PLATFORM_FORBIDDEN', 'of purveyor/platform', { method: 'GET', path: '/' })",
      3,
      forbidden,
    ],
    [
      "import { flatRate } from 'purveyor/rates'",
      "return flatRate({ id: 'a', title: 'A', excl: '5', taxRate: '0' }).name === 'a' ? [] : null",
    ],
    [
      "import { Problem } from 'purveyor'\nimport { Problem as same } from 'purveyor/contract'",
      'return Problem === same ? [] : null',
    ],
    [
      "import { checkProvider } from 'purveyor/testing'\nimport { checkProvider as same } from 'purveyor/conformance'",
      'return checkProvider === same ? [] : null',
    ],
  ])('%s', async ([imports, list, code = 0, stderr = '']) => {
    const source = listing(imports, list)
    const ended = await purveyor(['shop', 'list'], { cwd: folderWith({ 'provider.ts': source }) })
    expect([ended.code, ended.stderr]).toEqual([code, stderr])
  })
})
