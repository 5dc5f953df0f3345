import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Mutant } from './mutations.ts'
import { repository, Workshop } from './workshop.ts'

/** What one test file does to sound code. */
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

const kept = join(repository, 'node_modules/.cache/purveyor-mutants.json')
const read = (file: string): string => readFileSync(join(repository, file), 'utf8')
const glob = (pattern: string): string[] => globSync(pattern, { cwd: repository }).sort()

/** Looks at every test file once. What is the same as at the time before is not looked at again. */
export async function lookAtTests(atOnce: number): Promise<Look[]> {
  const shared = createHash('sha256')
  for (const file of [...glob('src/**/*.ts'), ...glob('test/**/*.ts')]) {
    if (!file.endsWith('.test.ts') && !file.startsWith('test/mutants/')) shared.update(read(file))
  }
  const base = shared.digest('hex')
  const keyOf = (test: string) => createHash('sha256').update(base).update(read(test)).digest('hex')
  const known = readKept()
  const tests = glob('test/**/*.test.ts').filter((test) => !leftOut.test(test))
  const looks: Record<string, Look> = {}
  const waiting = tests.filter((test) => {
    const look = known[keyOf(test)]
    if (look) looks[keyOf(test)] = look
    return !look
  })
  await Promise.all(
    Array.from({ length: Math.min(atOnce, waiting.length) }, async () => {
      const workshop = new Workshop('look')
      try {
        for (let test = waiting.shift(); test; test = waiting.shift())
          looks[keyOf(test)] = await lookAt(workshop, test)
      } finally {
        workshop.close()
      }
    }),
  )
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, JSON.stringify(looks))
  return Object.values(looks)
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
  return {
    test,
    ms: Math.round(performance.now() - from),
    passed: !failed,
    called: failed ? {} : workshop.called(),
  }
}

/** The tests that concern a mutant, nearest first: of its own file, of its folder, then the quickest that call its function. */
export function testsFor({ file, within }: Mutant, looks: readonly Look[], most: number): Look[] {
  const loaded = looks.filter(({ passed, called }) => passed && called[file])
  const calling = loaded.filter(({ called }) => within === undefined || called[file]!.includes(within))
  const folder = dirname(file).replace(/^src/, 'test')
  const own = `${folder}/${basename(file, '.ts')}.test.ts`
  const far = ({ test }: Look) => (test === own ? 0 : test.startsWith(`${folder}/`) ? 1 : 2)
  return (calling.length > 0 ? calling : loaded)
    .toSorted((one, other) => far(one) - far(other) || one.ms - other.ms)
    .slice(0, most)
}
