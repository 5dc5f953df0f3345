// Everything that `npm test` checks: types, format and lint beside every test. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
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
    // They take what the tests leave of the cores.
    setPriority(child.pid!, constants.priority.PRIORITY_LOW)
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Resolves with the names of the checks that failed. */
async function runChecks(): Promise<string[]> {
  const failed: string[] = []
  for (const [name, command, args] of checks) {
    const { code, output } = await run(command, args)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
    if (code === 0) continue
    failed.push(name)
    console.log(output)
  }
  return failed
}

const isWhole = filters.length === 0
const checking = isWhole ? runChecks() : []
// Attacks and crowds are measured before other tests make the machine busy.
const runs = isWhole ? [await runTests(['--project', 'alone'])] : []
runs.push(await runTests(isWhole ? ['--project', 'together'] : filters))
const faults = await checking
const failed = [...faults, ...runs.flatMap((one) => one.failed)]
const passed = runs.reduce((sum, one) => sum + one.passed, isWhole ? checks.length - faults.length : 0)
const list = (title: string, lines: readonly string[]) => {
  if (lines.length > 0) console.log(`${title}\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
if (isWhole) {
  const files = runs
    .flatMap((one) => one.files)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 30)
  list(
    'Longest, in seconds',
    files.map(([path, seconds]) => `${seconds} ${path}`),
  )
}
list(
  'Passed at the second attempt',
  runs.flatMap((one) => one.retried),
)
list('Failed', failed)
console.log(`${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1
