import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stageBuild } from './journey/staged.ts'

const dist = mkdtempSync(join(tmpdir(), 'purveyor-packed-'))

beforeAll(() => stageBuild(dist))
afterAll(() => rmSync(dist, { recursive: true, force: true }))

const imports = /^(?:import|export)\b(?:[^'"()]*?\bfrom)?\s*["']([^"']+)["']/gm

/** What an entry point loads beside code of the package, as it is packed. */
function loadedBy(entry: string): string[] {
  const files = new Set([join(dist, entry)])
  const others = new Set<string>()
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imports))
      if (name.startsWith('.')) files.add(join(dirname(file), name))
      else others.add(name)
  return [...others].toSorted()
}

test('purveyor/contract loads zod and the decimal library alone', () => {
  expect(loadedBy('contract/index.js')).toEqual(['big.js', 'zod'])
})

test('purveyor/platform loads no database, no server and no command line', () => {
  const loaded = loadedBy('platform/index.js')
  expect(loaded).toContain('zod')
  expect(
    loaded.filter((name) =>
      /sqlite|pg|kysely|express|helmet|pino|hono|node:(http|https|child_process|dgram|dns|readline)/.test(
        name,
      ),
    ),
  ).toEqual([])
})

test('a provider loads no command and no sandbox', () => {
  expect(loadedBy('index.js')).not.toContain('node:child_process')
  expect(loadedBy('cli/main.js').filter((name) => !name.startsWith('node:'))).toEqual([])
})
