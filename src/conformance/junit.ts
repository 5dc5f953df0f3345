import { printable } from '../printable.ts'
import type { CheckReport } from './check.ts'

const escaped = (text: string): string =>
  printable(text)
    .replace(/[\ufffe\uffff]/g, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')

/** Writes a report in JUnit's format, for build servers. Failing `should` cases are reported as skipped. */
export function junitOf({ results, endpoint }: CheckReport): string {
  const cases = results.map(
    ({ name, title, topic, level, result, reason, expected, received, remedy, curl, ms }) => {
      const open = `<testcase classname="${escaped(topic)}" name="${escaped(`${name}: ${title}`)}" time="${(ms / 1000).toFixed(3)}">`
      const said = `expected ${expected}, received ${received}`
      if (result === 'failed') {
        const text = [remedy ?? '', curl ?? ''].map(escaped).join('\n')
        return `${open}<failure message="${escaped(said)}">${text}</failure></testcase>`
      }
      if (result === 'passed') return `${open}</testcase>`
      return `${open}<skipped message="${escaped(reason ?? `${level}: ${said}`)}"/></testcase>`
    },
  )
  const failures = results.filter(({ result }) => result === 'failed').length
  const skipped = results.filter(({ result }) => result !== 'passed').length - failures
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${escaped(endpoint)}" tests="${results.length}" failures="${failures}" skipped="${skipped}">
${cases.join('\n')}
</testsuite>
`
}
