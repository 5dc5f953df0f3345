import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageAt } from '../docs/pages.ts'
import { tablesOf } from '../docs/tables.ts'
import { repository } from '../journey/project.ts'
import { figures, newestOf, type Result, resultsIn, resultsPage } from './page.ts'

const run = { commit: 'abc1234', node: '24.21.0', cores: 2, date: '2027-04-01' }
const bench = (name: string, found: object): Result => ({
  ...{ bench: name, command: `npm run -s bench -- ${name}`, ...run },
  ...found,
})
const all: Result[] = [
  bench('http', {
    us_per_request: { raw: 20, purveyor: 1_050.2, fastify: 60, express: 2_100 },
    vs_express: 0.5,
  }),
  bench('payments', { per_second: { median: 9_000 }, sqlite: { ready_ms: 4 } }),
  bench('webhooks', { per_second: { median: 20_000 }, per_second_with_hanging: { median: 10_000 } }),
  bench('rates', { calls_saved: 0.817, table_us: 9.4, p99_ms: 2_510 }),
  { torture: 'quick', command: 'npm run -s torture -- --store postgres --quick', ...run, kills: { lost: 0 } },
]

test('the page has ten figures with what each means, two charts, and the commands that repeat them', () => {
  expect(figures).toHaveLength(10)
  const page = resultsPage(all)
  expect(page).toContain('commit `abc1234`, 2 cores, Node 24.21.0, 2027-04-01')
  expect(page).toContain('| CPU for a rates call, without your adapter | 1,050 µs |')
  expect(page).toContain('| calls to the carrier that the cache saves | 82 % |')
  expect(page).toMatch(/^Purveyor +█{15} +1,050$/m)
  expect(page).toMatch(/^some shops hang +█{15} +10,000$/m)
  for (const { command } of all) expect(page).toContain(`- \`${command}\`\n`)
})

test('figures of two commits are no page, and neither are nine', () => {
  const other = { ...all[3]!, commit: 'def5678' }
  expect(() => resultsPage([...all.slice(0, 3), other, all[4]!])).toThrow(
    'The result of rates is of commit def5678, and others of abc1234.',
  )
  expect(() => resultsPage(all.slice(0, 4))).toThrow('There is no result of torture.')
  expect(() => resultsPage([...all.slice(0, 4), { ...all[4]!, kills: {} }])).toThrow('has no kills.lost')
})

test('a result is found in a log, and one that nobody can repeat is not', () => {
  const log = `3 rounds\n${JSON.stringify(all[0])}\n{"bench":"http","us":1}\n{"other":1}\n`
  expect(resultsIn(log)).toEqual([all[0]])
})

test('a new result takes the place of the one of its command', () => {
  const newer = { ...all[0]!, commit: 'def5678' }
  expect(newestOf([...all, newer]).filter((one) => one.bench === 'http')).toEqual([newer])
})

test('docs/results.md shows figures of one commit, which the kept results have', () => {
  const kept = resultsIn(readFileSync(`${repository}/test/results/results.jsonl`, 'utf8'))
  const { text } = pageAt('docs/results.md')
  const [, commit] = /commit `([\da-f]{7,})`/.exec(text)!
  expect(text).toBe(resultsPage(kept.filter((one) => one.commit === commit)))
  expect(tablesOf(text)[0]!.rows).toHaveLength(figures.length)
})
