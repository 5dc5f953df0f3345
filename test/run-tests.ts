import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from './reporter.ts'

// The processes that tests start compile the same sources again and again.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'purveyor-compile-cache')

// Compilers of TypeScript, which are written in Go, end within seconds: they spend a quarter less without collecting garbage, until they
// have 2 GiB.
process.env.GOGC ??= 'off'
process.env.GOMEMLIMIT ??= '2GiB'

/** Runs tests and shows how they go; `filters` are parts of the paths of their files, or options of vitest. */
export async function runTests(filters: readonly string[]): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-test-'))
  const path = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=./test/reporter.ts']
  const vitest = spawn(
    'node_modules/.bin/vitest',
    ['run', '--config', 'test/vitest.config.ts', ...reporters, ...filters],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, PURVEYOR_TEST_REPORT: path } },
  )
  const code = await new Promise<number>((resolve) => vitest.on('close', (exit) => resolve(exit ?? 1)))
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report
    // A leftover error fails no single test.
    if (code !== 0 && report.failed.length === 0) report.failed.push('an error outside the tests')
    return report
  } catch {
    return { passed: 0, failed: ['vitest itself'], retried: [], files: [] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
