import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('importing purveyor/platform starts nothing and loads no server', async () => {
  const script = `
    await import('./src/platform/index.ts')
    const handles = process.getActiveResourcesInfo().filter((one) => !/^(TTY|Pipe|FSReq|CloseReq|Immediate)/.test(one))
    const loaded = process.moduleLoadList.filter((one) => /^NativeModule (_http_server|sqlite|http2)$/.test(one))
    const packages = Object.keys(process.getBuiltinModule('node:module').createRequire(import.meta.url)('node:module')._cache)
      .filter((file) => /node_modules\\/(express|pino|kysely|undici|commander)\\//.test(file))
    console.log(JSON.stringify({ handles, packages, sqlite: loaded.filter((one) => one.includes('sqlite')) }))`
  const cwd = new URL('../../', import.meta.url)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd })
  expect(JSON.parse(stdout)).toEqual({ handles: [], packages: [], sqlite: [] })
})
