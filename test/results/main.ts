// `npm run -s results -- <log>...`: writes docs/results.md and the figures of docs/capacity.md from the logs of benches and of the torture.
// A result takes the place of the one of the same command, or of the same bench; the others stay.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { withFigures } from './capacity.ts'
import { resultsIn, resultsOf, resultsPage } from './page.ts'

const page = new URL('../../docs/results.md', import.meta.url)
const capacity = new URL('../../docs/capacity.md', import.meta.url)
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
  writeFileSync(page, resultsPage([...resultsOf(readFileSync(page, 'utf8')), ...found]))
  writeFileSync(capacity, withFigures(readFileSync(capacity, 'utf8'), found))
  console.log(`docs/results.md and docs/capacity.md: ${found.length} new results of ${logs.length} logs`)
}
