import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The processes that tests start compile the same sources again and again.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'purveyor-compile-cache')

// Compilers of TypeScript, which are written in Go, end within seconds: they spend a quarter less without collecting garbage, until they
// have 2 GiB.
process.env.GOGC ??= 'off'
process.env.GOMEMLIMIT ??= '2GiB'

/** Runs tests and shows how they go; `filters` are parts of the paths of their files, or options of vitest. */
export async function runTests(filters: readonly string[]): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-test-'))
  const report = join(folder, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const vitest = spawn(
    'node_modules/.bin/vitest',
    ['run', '--config', 'test/vitest.config.ts', ...reporters, ...filters],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const code = await new Promise<number>((resolve) => vitest.on('close', (exit) => resolve(exit ?? 1)))
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8')) as {
      numPassedTests: number
      numFailedTests: number
    }
    // A file that does not load, or a leftover error, fails no single test.
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
