import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = new URL('../../src/', import.meta.url)
const imported =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/gm

/** Every module that a file pulls in, its own files and packages apart, types included. */
function graph(entry: string) {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: URL) => {
    if (files.has(file.href)) return
    files.add(file.href)
    for (const match of readFileSync(fileURLToPath(file), 'utf8').matchAll(imported)) {
      const name = (match[1] ?? match[2] ?? match[3])!
      if (name.startsWith('.')) visit(new URL(name, file))
      else packages.add(name)
    }
  }
  visit(new URL(entry, source))
  return {
    files: [...files].map((file) => file.slice(source.href.length)).sort(),
    packages: [...packages].sort(),
  }
}

test('importing purveyor/contract pulls in nothing but zod and the decimal library', () => {
  const { files, packages } = graph('contract/index.ts')
  expect(packages).toEqual(['big.js', 'zod'])
  expect(files.filter((file) => !/^(contract|money|errors)\//.test(file))).toEqual([])
  expect(files).toContain('contract/quote.ts')
  expect(files).toContain('money/amount.ts')
})

test('money pulls in nothing but the decimal library, and nothing of the contract', () => {
  const { files, packages } = graph('money/index.ts')
  expect(packages).toEqual(['big.js'])
  expect(files.filter((file) => !file.startsWith('money/'))).toEqual([])
})

test('neither uses a clock, chance, the network or the process', () => {
  const { files } = graph('contract/index.ts')
  for (const file of new Set([...files, ...graph('money/index.ts').files])) {
    expect(readFileSync(fileURLToPath(new URL(file, source)), 'utf8'), file).not.toMatch(
      /Date\.now|new Date\(\)|Math\.random|\bfetch\(|\bprocess\.|setTimeout|['"]node:/,
    )
  }
})
