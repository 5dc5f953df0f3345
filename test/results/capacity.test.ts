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
  const about = ['npm run -s bench -- http', 'abc1234', '2 cores, Node 24.21.0, 2027-04-01']
  expect(renewed.slice(0, 2).map(([, ...cells]) => cells)).toEqual([
    ['1,235 µs', ...about],
    ['2,000 µs', ...about],
  ])
  expect(renewed.slice(2)).toEqual(before.slice(2))
})

test('a result without a figure that the page shows is refused', () => {
  expect(() => withFigures(page, [{ ...http, us_per_request: {} }])).toThrow(
    'the result of npm run -s bench -- http has no us_per_request.purveyor',
  )
})

test('docs/capacity.md is as its writer makes it, and every figure names command and commit', () => {
  expect(withFigures(page, [])).toBe(page)
  for (const [what, figure, command, commit, on] of figures(guide('capacity').text).rows) {
    expect(figure, what).toMatch(/\d/)
    expect(command, what).toMatch(/^npm run -s bench -- /)
    expect(commit, what).toMatch(/^[\da-f]{7,}$/)
    expect(on, what).toMatch(/cores/)
  }
})
