// Runs one test file after the other in a copy of the repository, with one Vitest that is kept. The parent names them.
import { join } from 'node:path'
import { createVitest } from 'vitest/node'

/** One test file to run. */
export interface Order {
  /** From the root of the copy. */
  test: string
  /** Source files whose text has changed since the order before. */
  changed: string[]
}

export interface Result {
  /** The first failure in words; not set where every test passes. */
  failed: string | undefined
}

const root = process.argv[2]!
process.env.MUTANTS_COVERAGE = join(root, 'called.json')

const setupFiles = [join(root, 'test/each-file.ts')]
if (process.argv[3] === 'look') setupFiles.push(join(root, 'test/mutants/coverage.ts'))
const config = join(root, 'test/vitest.config.ts')
const vitest = await createVitest(
  { root, config, watch: false, bail: 1, maxWorkers: 1, silent: true, reporters: [{}], setupFiles },
  { cacheDir: join(root, '.vite') },
)
await vitest.standalone()

async function run({ test, changed }: Order): Promise<Result> {
  for (const one of changed) vitest.invalidateFile(join(root, one))
  const file = join(root, test)
  const specification = vitest.getRootProject().createSpecification(file)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  // Earlier failures stay in the list.
  const module = testModules.find(({ moduleId }) => moduleId === file)
  if (!module) return { failed: `${test}: does not run` }
  for (const one of module.children.allTests('failed')) return { failed: `${test}: ${one.fullName}` }
  if (!module.ok()) return { failed: `${test}: does not load` }
  return { failed: unhandledErrors.length > 0 ? `${test}: an error that nobody handles` : undefined }
}

process.on('message', (order: Order) => {
  void run(order).then((result) => process.send!(result))
})
process.on('disconnect', () => process.exit())
process.send!('ready')
