import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPage } from '../../.ci/docs/page.ts'
import { repository } from '../journey/project.ts'
import { resultsIn, resultsOf, resultsPage } from './page.ts'
import { rowsOf } from './words.ts'

const run = { command: 'npm run -s bench -- http', commit: 'abc1234', node: '24.21.0', cores: 2 }
const http = {
  ...{ bench: 'http', us_per_request: { purveyor: 1_050.2, raw: 20 } },
  ...{ ...run, date: '2027-04-01' },
}
const torture = {
  ...http,
  bench: undefined,
  torture: 'long',
  seeds: '1-100',
  command: 'npm run -s torture',
  survivors: [],
}

test('the page has each command once, with its newest result and what it takes to repeat it', () => {
  const older = { ...http, commit: 'older00' }
  const page = resultsPage([older, torture, http])
  expect(page).toContain('`npm run -s bench -- http` at commit `abc1234`, 2 cores, Node 24.21.0, 2027-04-01.')
  expect(page).toContain('2027-04-01, seeds 1-100.')
  expect(page).toMatch(/^\| CPU per call: Purveyor +\| 1,050.2 µs \|$/m)
  expect(page).toMatch(/^\| seeded bugs that were not caught +\| none +\|$/m)
  expect(page).not.toContain('older00')
})

test('each kind of run has a title of its own, and a part of a run says so', () => {
  const ofPart = (part: string) => ({ ...torture, command: `npm run -s torture -- ${part}` })
  const page = resultsPage([torture, ofPart('--store postgres'), ofPart('--neighbours')])
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
    'Torture',
    'Torture by neighbours',
    'Torture on PostgreSQL',
    'As printed',
  ])
})

test('a quick form gives way to the whole of the same bench, and only to that', () => {
  const quick = { ...http, command: 'npm run -s bench -- http --quick', commit: 'quick00' }
  expect(resultsPage([http, quick])).toBe(resultsPage([http]))
  const page = resultsPage([quick, torture])
  expect(page).toContain('## CPU of a rates call (quick)')
  expect(page).toContain('quick00')
})

test('what the page holds can be read back, so that it is never edited', () => {
  const page = resultsPage([http, torture])
  expect(resultsPage(resultsOf(page))).toBe(page)
})

test('a result is found in a log, and one that nobody can repeat is not', () => {
  const log = `3 rounds\n${JSON.stringify(http)}\n{"bench":"http","us":1}\n{"other":1}\n`
  expect(resultsIn(log)).toEqual([http])
})

test('a figure has words, with its unit', () => {
  expect(rowsOf('start_ms', 1_240)).toEqual([['start', '1,240 ms']])
  expect(rowsOf('outage', { owed: 5_000, healthy_slowest_s: 0.02 })).toEqual([
    ['a receiver that is down: owed', '5,000'],
    ['a receiver that is down: healthy slowest', '0.02 s'],
  ])
  expect(rowsOf('strangers', { slow: { sockets: 50, statuses: { 200: 18, 404: 2 } } })).toEqual([
    ['strangers: slow', 'sockets 50, statuses 200: 18, 404: 2'],
  ])
  expect(rowsOf('neighbours', [{ name: 'a full disk', others: { calls: 308 }, healed_within_s: 2 }])).toEqual(
    [['neighbours: a full disk', 'others calls 308, healed within 2 s']],
  )
  expect(rowsOf('postgres_100_shops', { start_ms: 20, lookup_ms: 0.1 })).toEqual([
    ['postgres 100 shops', 'start 20 ms, lookup 0.1 ms'],
  ])
  expect(rowsOf('survivors', [])).toEqual([['seeded bugs that were not caught', 'none']])
})

test('docs/results.md is what its results make, and every line of it names command and commit', () => {
  const file = `${repository}/docs/results.md`
  const text = readFileSync(file, 'utf8')
  const results = resultsOf(text)
  expect(text).toBe(resultsPage(results))
  const { headings } = readPage(file)
  expect(headings.filter(({ level }) => level === 2)).toHaveLength(
    results.length === 0 ? 0 : results.length + 1,
  )
})
