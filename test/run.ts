// Everything that `npm test` checks: types, format and lint, then every test. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The processes that tests start compile the same sources again and again.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'purveyor-compile-cache')

const folder = mkdtempSync(join(tmpdir(), 'purveyor-test-'))
const report = join(folder, 'vitest.json')
const filters = process.argv.slice(2)

const checks: [string, string, string[]][] = [
  ['types', 'tsc', ['-p', '.']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['promises', 'oxlint', ['--type-aware', '--tsconfig', 'tsconfig.json', 'src', 'test', 'examples']],
  // Tools of the system that tests start, such as `openssl`, are no packages.
  ['unused files, exports, types and packages', 'knip', ['--exclude', 'binaries']],
]

function run(command: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(join('node_modules/.bin', command), args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

let passed = 0
let failed = 0

if (filters.length === 0) {
  for (const [name, command, args] of checks) {
    const { code, output } = await run(command, args)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
    if (code === 0) passed++
    else {
      failed++
      console.log(output)
    }
  }
}

const vitest = spawn(
  'node_modules/.bin/vitest',
  [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
)
const code = await new Promise<number>((resolve) => vitest.on('close', (exit) => resolve(exit ?? 1)))
try {
  const results = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
  }
  passed += results.numPassedTests
  failed += results.numFailedTests
  // A file that does not load, or a leftover error, fails no single test.
  if (code !== 0 && results.numFailedTests === 0) failed++
} catch {
  failed++
}
rmSync(folder, { recursive: true })
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
