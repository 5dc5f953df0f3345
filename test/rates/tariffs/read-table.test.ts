import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readTariff, tariffs } from '../../../src/rates/tariffs/read-table.ts'
import { folderWith } from '../../folder.ts'

const header = 'id,title,country,price_excl\n'

/** A disk that gives the header of a file and then fails with `code`. */
const failing = (code: string) =>
  ({
    read: async () => ({ buffer: Buffer.from(header), bytesRead: header.length }),
    createReadStream: () =>
      Readable.from(
        (async function* () {
          yield Buffer.from(header)
          throw Object.assign(new Error(`${code}: read`), { code })
        })(),
      ),
  }) as unknown as FileHandle

test('a tariff that stops to be readable half-way is an error, and never a shorter tariff', async () => {
  const cwd = folderWith({ 'tariff.csv': `${header}door,Door,nl,5.00\n` })
  const { read } = tariffs({ taxRate: '0.21' })
  await expect(read(failing('EIO'), 'tariff.csv')).rejects.toMatchObject({ code: 'EIO' })
  expect((await readTariff(`${cwd}/tariff.csv`, { taxRate: '0.21' })).table.rows).toHaveLength(1)
})

test.each([
  [
    'its own line',
    '[\n  { "id": "door", "title": "Door", "country": "nl", "price_excl": 5 },\n  {\n    "id": "door",\n    "title": { "en": "Door" },\n    "country": "xx",\n    "price_excl": "4,95"\n  }\n]',
    ['tariff.json:7 row 2 price_excl', 'tariff.json:6 row 2 country'],
  ],
  [
    'the line where the row begins, for a member that is missing',
    '{ "currency": ["[", "{\\"rows\\": ["],\n"rows": [\n{ "id": "door",\n"title": "Door", "country": "nl", "price_excl": 5 },\n{\n"id": "door", "title": "Door", "country": "nl" }] }',
    ['tariff.json:5 row 2 price_excl'],
  ],
  [
    'the first row with a name that is no column',
    '[\n{ "id": "door", "title": "Door", "country": "nl", "price_excl": 5 },\n{ "id": "door", "title": "Door",\n"prise": 4, "country": "be", "price_excl": 5 }\n]',
    ['tariff.json:4 row 2 prise'],
  ],
  [
    'the last of two lists',
    '{ "rows": [{ "id": "a" }, {}],\n"rows": [\n{ "id": "door", "title": "Door", "country": ["nl", "xx"], "price_excl": 5 }] }',
    ['tariff.json:3 row 1 country'],
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
