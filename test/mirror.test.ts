import { existsSync, globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname

/** Tests about the whole product, and about tools of the tests: no single source file is theirs. */
const apart = /^(bench|crash|docs|examples|journey|mutants|payments\/sequences|results|torture)\//

const ofSource = globSync('**/*.test.ts', { cwd: `${root}/test` }).filter(
  (file) => file.includes('/') && !apart.test(file),
)

/** `cli/serve/serve.mode.test.ts` is a topic of `src/cli/serve/serve.ts`, and `cli/doctor.test.ts` is about the folder `src/cli/doctor`. */
const sourceOf = (file: string): string => `src/${dirname(file)}/${basename(file).split('.')[0]}`

test('each test lies where its source lies, and is named after it', () => {
  expect(ofSource.length).toBeGreaterThan(100)
  const lost = ofSource.filter((file) => {
    const source = `${root}/${sourceOf(file)}`
    return !existsSync(`${source}.ts`) && !existsSync(source)
  })
  expect(lost, 'name a test <source>.test.ts or <source>.<topic>.test.ts').toEqual([])
})
