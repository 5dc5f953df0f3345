// Everything that `npm test` checks: types, format and lint beside every test. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { runTests } from './run-tests.ts'

const filters = process.argv.slice(2)

const checks: [string, string, string[]][] = [
  ['types', 'tsc', ['-p', '.', '--checkers', '1']],
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

/** Resolves with the number of checks that failed. */
async function runChecks(): Promise<number> {
  let failed = 0
  for (const [name, command, args] of checks) {
    const { code, output } = await run(command, args)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
    if (code !== 0) {
      failed++
      console.log(output)
    }
  }
  return failed
}

const isWhole = filters.length === 0
// Attacks and crowds are measured before anything else makes the machine busy.
const alone = isWhole ? await runTests(['--project', 'alone']) : { passed: 0, failed: 0 }
const [faults, tests] = await Promise.all([
  isWhole ? runChecks() : 0,
  runTests(isWhole ? ['--project', 'together'] : filters),
])
const checked = isWhole ? checks.length : 0
const failed = alone.failed + tests.failed + faults
console.log(`${alone.passed + tests.passed + checked - faults} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
