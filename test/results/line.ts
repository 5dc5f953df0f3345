import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** Read at the start: a run may take hours, and somebody may commit meanwhile. */
const commit = `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', 'src') && '-changed'}`

/** The median of several rounds, and the lowest and highest of them. */
export function spread(list: readonly number[]): { median: number; lowest: number; highest: number } {
  const sorted = list.map((one) => Math.round(one)).toSorted((one, other) => one - other)
  return { median: sorted[Math.floor(sorted.length / 2)]!, lowest: sorted[0]!, highest: sorted.at(-1)! }
}

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
      commit,
      node: process.versions.node,
      cores: availableParallelism(),
      date: new Date().toISOString().slice(0, 10),
    }),
  )
}
