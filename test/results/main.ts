// `npm run -s results -- <log>...`: keeps the results in the logs of benches and of the torture in test/results/results.jsonl, and writes
// docs/results.md once all of its figures are of one commit. A result takes the place of the one of the same command.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { newestOf, resultsIn, resultsPage } from './page.ts'

const kept = new URL('results.jsonl', import.meta.url)
const page = new URL('../../docs/results.md', import.meta.url)
const logs = process.argv.slice(2)
const missing = logs.filter((log) => !existsSync(log))
const found = logs.flatMap((log) => (existsSync(log) ? resultsIn(readFileSync(log, 'utf8')) : []))
if (missing.length > 0 || found.length === 0) {
  if (missing.length > 0) console.error(`There is no ${missing.join(', ')}.`)
  console.error(
    'Name logs that hold results: npm run -s bench -- http payments webhooks rates | tee bench.log; npm run -s results -- bench.log',
  )
  process.exitCode = 2
} else {
  const results = newestOf([...resultsIn(readFileSync(kept, 'utf8')), ...found])
  writeFileSync(kept, `${results.map((one) => JSON.stringify(one)).join('\n')}\n`)
  try {
    const { commit } = found.at(-1)!
    writeFileSync(page, resultsPage(results.filter((one) => one.commit === commit)))
    console.log(`docs/results.md and test/results/results.jsonl: ${found.length} new results`)
  } catch (error) {
    console.log(
      `test/results/results.jsonl: ${found.length} new results. docs/results.md stays: ${(error as Error).message}`,
    )
  }
}
