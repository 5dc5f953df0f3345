// `npm run -s results -- <log>...`: writes docs/results.md from the logs of benches and of the torture. A result takes the place of the
// one that the page holds of the same command; the others stay.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resultsIn, resultsOf, resultsPage } from './page.ts'

const page = new URL('../../docs/results.md', import.meta.url)
const logs = process.argv.slice(2)
const found = logs.flatMap((log) => resultsIn(readFileSync(log, 'utf8')))
const before = existsSync(page) ? resultsOf(readFileSync(page, 'utf8')) : []
if (found.length === 0 && before.length === 0) {
  console.error(
    'Name logs that hold results, such as: npm run -s bench -- http | tee http.log; npm run -s results -- http.log',
  )
  process.exitCode = 2
} else {
  writeFileSync(page, resultsPage([...before, ...found]))
  console.log(`docs/results.md: ${found.length} new results of ${logs.length} logs`)
}
