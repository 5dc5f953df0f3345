import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guide } from '../docs/pages.ts'
import { tablesOf } from '../docs/tables.ts'
import { repository } from '../journey/project.ts'
import { withFigures } from './capacity.ts'

const page = readFileSync(`${repository}/docs/capacity.md`, 'utf8')
const run = { command: 'npm run -s bench -- http', commit: 'abc1234', node: '24.21.0', cores: 2 }
const http = {
  ...{ bench: 'http', us_per_request: { purveyor: 1_234.5, express: 2_000 } },
  ...{ ...run, date: '2027-04-01' },
}
const figures = (text: string) => tablesOf(text).find(({ head }) => head[0] === 'what')!

test('a result renews its rows of docs/capacity.md, and the others stay', () => {
  const renewed = figures(withFigures(page, [http])).rows
  const before = figures(page).rows
  expect(renewed[0]!.slice(1)).toEqual(['1,235 µs', 'http'])
  expect(renewed.slice(1)).toEqual(before.slice(1))
})

test('a result without a figure that the page shows is refused', () => {
  expect(() => withFigures(page, [{ ...http, us_per_request: {} }])).toThrow(
    'the result of npm run -s bench -- http has no us_per_request.purveyor',
  )
})

test('docs/capacity.md is as its writer makes it, and the results have command and commit of every figure', () => {
  expect(withFigures(page, [])).toBe(page)
  const results = guide('results').text
  for (const [what, figure, bench] of figures(guide('capacity').text).rows) {
    expect(figure, what).toMatch(/\d/)
    expect(results, what).toContain(`\`npm run -s bench -- ${bench}\` at commit`)
  }
})
