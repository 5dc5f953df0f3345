import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const src = (path: string) => new URL(`../src/${path}`, import.meta.url).pathname

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: {
    alias: [
      { find: /^purveyor$/, replacement: src('index.ts') },
      { find: /^purveyor\/rates$/, replacement: src('adapters/index.ts') },
      {
        find: /^purveyor\/(contract|platform|sandbox|conformance|testing)$/,
        replacement: src('$1/index.ts'),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    // Most of them wait for a process or a browser now and then. A machine of CI may be many times slower, and has no cores to spare.
    maxWorkers: (process.env.CI ? 1 : 2) * availableParallelism(),
    // No balancer watches a test: providers in production stop at once.
    env: { PURVEYOR_STOP_DELAY: '0' },
    // Limits end what hangs. They hold on a machine ten times slower.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
