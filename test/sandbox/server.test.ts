import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Everything that a file loads before it runs: files by their path, packages by their name. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  const source = readFileSync(file, 'utf8')
  for (const [, what, from = ''] of source.matchAll(/^(?:import|export) ([^;']*?)from '([^']+)'$/gm)) {
    if (what?.startsWith('type ')) continue
    const path = from.startsWith('.') ? resolve(dirname(file), from) : undefined
    const name = path ? relative(root, path) : from
    if (seen.has(name)) continue
    seen.add(name)
    if (path) loadedBy(path, seen)
  }
  return seen
}

test('the start of a shop loads no pages, no Express, and nothing that reads pages, XML or makes certificates', () => {
  const loaded = [...loadedBy(resolve(root, 'src/sandbox/index.ts'))]
  expect(loaded).toContain('src/sandbox/api/resources.ts')
  expect(loaded).toContain('zod')
  const notNeeded =
    /^src\/sandbox\/(pages|routes|server|api\/routes)|express|helmet|kysely|hono|parse5|xml|certificate|https|undici/
  expect(loaded.filter((name) => notNeeded.test(name))).toEqual([])
})
