import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const src = (path: string) => new URL(`../src/${path}`, import.meta.url).pathname

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: {
    alias: [
      { find: /^purveyor$/, replacement: src('index.ts') },
      {
        find: /^purveyor\/(contract|platform|sandbox|conformance|testing)$/,
        replacement: src('$1/index.ts'),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Most of them wait for a process or a browser now and then.
    maxWorkers: 2 * availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
