import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../folder.ts'
import { cleanEnv, repository, run } from '../journey/project.ts'

const cacheOf = async (env: Record<string, string> = {}) => {
  const file = new URL('../../src/cli/compile-cache.ts', import.meta.url).href
  const script = `
    const { keepCompiledCode } = await import('${file}')
    keepCompiledCode()
    console.log(process.getBuiltinModule('node:module').getCompileCacheDir() ?? 'none')`
  const args = ['--input-type=module', '-e', script]
  // The tests themselves keep compiled code elsewhere.
  const { NODE_COMPILE_CACHE: _, ...clean } = cleanEnv()
  return (await run(process.execPath, args, { env: { ...clean, ...env } })).stdout.trim()
}

test('compiled code is kept beside the packages, unless Node is given another place or none', async () => {
  expect(await cacheOf()).toContain(join(repository, 'node_modules/.cache/purveyor'))
  const own = folderWith({})
  expect(await cacheOf({ NODE_COMPILE_CACHE: own })).toContain(own)
  expect(await cacheOf({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('none')
})
