import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These replace or count parts of their process, or measure its memory: each has a process of its own. */
const alone = [
  // They set the only tracer of the process.
  'test/tracing.test.ts',
  // It counts what runs in its process.
  'test/way.test.ts',
  'test/torture/strangers.test.ts',
  'test/network/limited-answer.test.ts',
  'test/platform/client.many.test.ts',
  // Its adapter reads the address of the service once in a process.
  'test/examples/bank-choice.test.ts',
  // A connection and a lock have two seconds, which pass on a busy machine too.
  'test/stores/postgres.test.ts',
  'test/store/postgres/locked.test.ts',
  // The cases of its test kit give an adapter the time that a shop gives it.
  'test/examples/carrier.test.ts',
]

/** These take longest. They go first, so that the end waits for none of them. */
const longest = [
  'docs/fresh-clone',
  'journey/journey',
  'examples/card-fields.browser',
  'conformance/check',
  'conformance/check.judgement',
  'docs/examples',
  'sandbox/pages.browser',
  'sandbox/pages/layout.browser',
  'console/pages.browser',
  'cli/webhooks/lanes.rates',
  'cli/dev',
  'cli/serve/workers',
  'cli/terminal/print',
  'docs/code',
  'torture/torture',
  'examples/bank-choice.browser',
  'conformance/check.templates',
  'payments/sequences/sequences.stores',
  'http/pages/state-pages.browser',
  'sandbox/recording/replay',
  'cli/sandbox/simulate',
  'crash/kill',
  'store/postgres/migrate',
  'stores/postgres.cases',
  'release',
  'cli/table.sealed',
  'stores/copy',
  'http/pages/routes.bank',
  'http/pages/routes.forms',
  'cli/terminal/read-input',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // A process is shared by files that follow each other, so those that have one of their own go before all others.
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return project.name === 'alone' ? -1 : place < 0 ? longest.length : place
    }
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // The others only use the code of `src`, which owns no state outside its objects: it is loaded once for all that a process runs.
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: alone, isolate: false },
      },
    ],
    // Node runs the sources as they are, and keeps what it compiled: Vite would transform each file first.
    experimental: { viteModuleRunner: false },
    execArgv: [
      // Most of what a test makes is garbage at its end. With more room (MiB) for young objects, they take a tenth less of the CPU.
      '--max-semi-space-size=64',
      '--import',
      new URL('find-purveyor.ts', import.meta.url).href,
    ],
    globalSetup: 'test/global-setup.ts',
    setupFiles: 'test/each-file.ts',
    sequence: { sequencer: LongestFirst },
    // Most of them wait for a process or a browser now and then: with fewer workers a quarter of two cores stays idle.
    maxWorkers: 4 * availableParallelism(),
    // Of one file. Those that run side by side mostly wait.
    maxConcurrency: 8,
    // No balancer watches a test: providers in production stop at once.
    env: { PURVEYOR_STOP_DELAY: '0' },
    // Limits end what hangs. They hold on a machine ten times slower.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Where many share the cores. `npm test` names what needed it.
    retry: process.env.CI ? 1 : 0,
    expect: { poll: { timeout: 60_000 } },
  },
})
