import { expect, test } from 'vitest'
import { commandsIn, folderWith, saying } from '../command.ts'

const header = 'id,title,country,weight_from,weight_to,price_excl,valid_from'
const old = `${header}
door,Door,nl|be,0,2,5.00,
door,Door,nl|be,2,10,8.00,
point,Point,nl,0,2,4.00,
point,Point,nl,2,5,6.00,
`
const cwd = folderWith({
  'old.csv': old,
  'new.csv': `${header}
door,Door,nl|be,0,2,5.50,
door,Door,nl|be,2,10,8.00,
door,Door,de,0,2,9.00,
`,
  'later.csv': `${old}door,Door,nl|be,2,10,7.00,2999-01-01\n`,
  'faulty.csv': `${header}\ndoor,Door,xx,0,2,"4,95",\n`,
})
const diff = async (line: string) => {
  const { out, ...ended } = await commandsIn(cwd)(`rates diff ${line}`)
  return { ...ended, out: out.split('\n') }
}

test('shows what gets dearer, lost and new, and ends with 1 because something is lost', async () => {
  expect(await diff('old.csv new.csv')).toEqual({
    code: 1,
    err: '',
    out: [
      '        method  weight  old   new          to',
      'dearer  door    0-2     5.00  5.50  +10 %  nl, be',
      'lost    point   0-2     4.00  -            nl',
      'lost    point   2-5     6.00  -            nl',
      'new     door    0-2     -     9.00         de',
      '',
      '1 dearer, 2 lost, 1 new.',
    ],
  })
})

test('ends with 0 for equal tariffs, and for changes that --fail-on does not name', async () => {
  expect(await diff('old.csv old.csv')).toMatchObject({ code: 0, out: ['No price changes.'] })
  expect((await diff('new.csv old.csv --fail-on dearer')).code).toBe(0)
  expect((await diff('old.csv new.csv --fail-on none')).code).toBe(0)
  expect((await diff('new.csv old.csv --fail-on cheaper,new')).code).toBe(1)
  expect((await diff('old.csv later.csv --fail-on any')).code).toBe(1)
})

test('names the days of a change, and --at shows one day', async () => {
  const { out } = await diff('old.csv later.csv')
  expect(out.slice(0, 2)).toEqual([
    '         method  weight  from        old   new            to',
    'cheaper  door    2-10    2999-01-01  8.00  7.00  -12.5 %  nl, be',
  ])
  expect((await diff('old.csv later.csv --at 2998-12-31')).out).toEqual(['No price changes.'])
  expect((await diff('old.csv later.csv --at 2999-01-01')).out).toContain('1 cheaper.')
})

test('prints JSON', async () => {
  const { counts, changes } = await commandsIn(cwd).json('rates diff old.csv new.csv --tax-rate 0.21')
  expect(counts).toEqual({ dearer: 1, cheaper: 0, lost: 2, new: 1, currency: 0 })
  expect(changes[0]).toEqual({
    ...{ kind: 'dearer', method: 'door', title: 'Door', to: ['nl', 'be'] },
    ...{ weight: { from: 0, to: 2 }, value: { from: 0 }, before: '6.05', after: '6.66', percent: 10.1 },
  })
})

test.each([
  ['old.csv nothing.csv', 2, 'nothing.csv is not there: paths begin at'],
  ['faulty.csv old.csv', 1, 'faulty.csv:2 country: xx is not a country: write two letters such as nl'],
  ['faulty.csv old.csv', 1, 'faulty.csv:2 price_excl: 4,95 has a comma: write 4.95'],
  ['old.csv', 2, "missing required argument 'new'"],
  ['old.csv new.csv --at 2026-02-30', 2, 'Write a day, such as 2026-12-31'],
  ['old.csv new.csv --time-zone Mars', 2, 'Write the name of a time zone, such as Europe/Amsterdam.'],
  ['old.csv new.csv --tax-rate 21', 2, 'Write a fraction below 1: 0.21 is 21 %.'],
  ['old.csv new.csv --fail-on gone', 2, 'Name some of dearer,cheaper,lost,new,currency, or any, or none'],
])('what is wrong is named: %s', async (line, code, message) => {
  expect(await diff(line)).toMatchObject(saying(code, message))
})
