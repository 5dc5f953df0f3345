import { expect, test } from 'vitest'
import { readTariff } from '../../../src/rates/tariffs/read-table.ts'
import { folderWith } from '../../folder.ts'

test.each([
  [
    'the row, as its place in the list',
    '{ "rows": [{ "id": "door", "title": "Door", "country": "nl", "price_excl": 5 }, { "id": "door", "title": { "en": "Door" }, "country": "xx", "price_excl": "4,95" }] }',
    ['tariff.json row 2 price_excl', 'tariff.json row 2 country'],
  ],
  [
    'the first row with a name that is no column',
    '[{ "id": "door", "title": "Door", "country": "nl", "price_excl": 5 }, { "id": "door", "title": "Door", "prise": 4, "country": "be", "price_excl": 5 }]',
    ['tariff.json row 2 prise'],
  ],
  ['the file, without rows', '{ "rows": 5 }', ['tariff.json rows']],
])('a fault of a JSON tariff names %s', async (_, text, paths) => {
  const cwd = folderWith({ 'tariff.json': text })
  const error = await readTariff(`${cwd}/tariff.json`, { taxRate: '0.21' }).catch((one) => one)
  expect(error.faults.map(({ path }: { path: string }) => path)).toEqual(paths)
})

test.each([
  ['\n', ''],
  ['\r\n', ''],
  ['\r\n', '\uFEFF'],
])('with line ends %j, a fault after cells of several lines names its own line', async (end, mark) => {
  const lines = [
    'id,title,country,price_excl',
    'door,"At',
    'your',
    'door",nl,5.00',
    '"","',
    '","",""',
    'evening,"In the',
    'evening",nl,5x00',
    'night,Night,xx,6.00',
  ]
  const cwd = folderWith({
    'tariff.csv': mark + lines.join(end),
    'quote.csv': mark + [...lines.slice(0, 4), 'a"b,B,nl,5.00'].join(end),
    'open.csv': mark + [...lines.slice(0, 4), 'night,"Night,nl,6.00', 'day,Day,nl,5.00'].join(end),
    'closed.csv': mark + [...lines.slice(0, 4), 'night,"At', 'night"s,nl,6.00'].join(end),
  })
  const pathsOf = async (name: string) => {
    const error = await readTariff(`${cwd}/${name}`, { taxRate: '0.21' }).catch((one) => one)
    return error.faults.map(({ path }: { path: string }) => path)
  }
  expect(await pathsOf('tariff.csv')).toEqual(['tariff.csv:8 price_excl', 'tariff.csv:9 country'])
  expect(await pathsOf('quote.csv')).toEqual(['quote.csv:5 line'])
  expect(await pathsOf('open.csv')).toEqual(['open.csv:5 line'])
  expect(await pathsOf('closed.csv')).toEqual(['closed.csv:6 line'])
})
