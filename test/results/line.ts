import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Prints the result of a bench or of the torture as one line of JSON, with what it takes to repeat it: `npm run -s results` makes
 * `docs/results.md` of such lines.
 */
export function printResult(result: Record<string, unknown>): void {
  const [script = ''] = /test\/(bench|torture)\/main\.ts$/.exec(process.argv[1] ?? '')?.slice(1) ?? []
  const options = process.argv.slice(2)
  const words = script === 'torture' && options.length > 0 ? ['--', ...options] : options
  console.log(
    JSON.stringify({
      ...result,
      command: ['npm run -s', script, ...(script === 'bench' ? ['--', ...words] : words)]
        .filter(Boolean)
        .join(' '),
      commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
      node: process.versions.node,
      cores: availableParallelism(),
      date: new Date().toISOString().slice(0, 10),
    }),
  )
}
