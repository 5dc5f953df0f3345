import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { together } from '../together.ts'
import type { Mutant } from './mutations.ts'
import { cache, repository, Workshop } from './workshop.ts'

/** One test file's run on sound code. */
export interface Look {
  test: string
  ms: number
  passed: boolean
  /** The functions it calls, by source file. */
  called: Record<string, string[]>
}

/** Tests that start processes, browsers or servers of their own, or read the sources as text: too slow, or not about one function. */
const leftOut =
  /^test\/(bench|cli|crash|examples|journey|mutants|torture)\/|\.browser\.test|templates\.test|postgres|^test\/[^/]+$/

const kept = join(cache, 'looks.json')
const read = (file: string): string => readFileSync(join(repository, file), 'utf8')

/** The files that a file imports from this repository. */
function importsOf(file: string): string[] {
  const named = [...read(file).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name!)
  return named
    .map((name) => {
      const [own, entry = ''] = /^purveyor(\/\w+)?$/.exec(name) ?? []
      if (own) return `src${entry}/index.ts`
      return name.startsWith('.') ? normalize(join(dirname(file), name)) : ''
    })
    .filter((name) => name.endsWith('.ts') && existsSync(join(repository, name)))
}

/** The same as long as the test and all that it imports are the same. */
export function keyOf(test: string): string {
  const files = new Set([test])
  for (const file of files) for (const imported of importsOf(file)) files.add(imported)
  const hash = createHash('sha256')
  for (const file of [...files].sort()) hash.update(file).update(read(file))
  return hash.digest('hex')
}

/** Looks at every test file once. What is the same as at the time before is not looked at again. */
export async function lookAtTests(atOnce: number): Promise<Look[]> {
  const known = readKept()
  const tests = globSync('test/**/*.test.ts', { cwd: repository }).filter((test) => !leftOut.test(test))
  const keys = new Map(tests.sort().map((test) => [keyOf(test), test]))
  const looks = Object.fromEntries(Object.entries(known).filter(([key]) => keys.has(key)))
  const waiting = [...keys].filter(([key]) => !looks[key])
  if (waiting.length > 0) console.error(`Runs ${waiting.length} test files without a mutant first`)
  const free = Array.from({ length: Math.min(atOnce, waiting.length) }, () => new Workshop('look'))
  await together(free.length, waiting, async ([key, test]) => {
    const workshop = free.pop()!
    looks[key] = await lookAt(workshop, test)
    keep(looks)
    free.push(workshop)
  })
  for (const workshop of free) workshop.close()
  return keep(looks)
}

/** As they come, so that a run that is ended goes on where it was. Returns those that pass. */
function keep(looks: Record<string, Look>): Look[] {
  mkdirSync(cache, { recursive: true })
  const sound = Object.entries(looks).filter(([, { passed }]) => passed)
  writeFileSync(kept, JSON.stringify(Object.fromEntries(sound)))
  return sound.map(([, look]) => look)
}

function readKept(): Record<string, Look> {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return {}
  }
}

async function lookAt(workshop: Workshop, test: string): Promise<Look> {
  const from = performance.now()
  const { failed } = await workshop.run(test, 600_000)
  if (failed) console.error(`Left out, for it fails on sound code: ${failed}`)
  const ms = Math.round(performance.now() - from)
  return { test, ms, passed: !failed, called: failed ? {} : workshop.called() }
}

/**
 * The tests that concern a mutant: that of its own file, then the quickest that call its function. Those that import its file, or stand
 * in its folder, go before others that are somewhat quicker.
 */
export function testsFor({ file, within }: Mutant, looks: readonly Look[], most: number): Look[] {
  const loaded = looks.filter(({ called }) => called[file])
  const calling = loaded.filter(({ called }) => within === undefined || called[file]!.includes(within))
  const folder = dirname(file).replace(/^src/, 'test')
  const own = `${folder}/${basename(file, '.ts')}.test.ts`
  const cost = ({ test, ms }: Look) => {
    if (test === own) return 0
    if (importsOf(test).includes(file)) return ms / 10
    return test.startsWith(`${folder}/`) ? ms / 3 : ms
  }
  return (calling.length > 0 ? calling : loaded)
    .map((look) => [cost(look), look] as const)
    .sort(([one], [other]) => one - other)
    .slice(0, most)
    .map(([, look]) => look)
}
