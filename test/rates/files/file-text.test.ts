import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { factFiles } from '../../../src/rates/files/product-facts.ts'
import { readPoints } from '../../../src/rates/points/points.ts'
import { readTariff } from '../../../src/rates/tariffs/read-table.ts'
import { folderWith } from '../../folder.ts'

/** What each kind of file says first, from these bytes. */
async function read(name: string, bytes: Buffer): Promise<unknown> {
  const file = join(folderWith({}), name)
  writeFileSync(file, bytes)
  if (name.startsWith('tariff'))
    return (await readTariff(file, { taxRate: '0.21' })).table.rows.map(({ title }) => title)
  const handle = await open(file)
  const content = name.startsWith('points')
    ? readPoints(handle, name).then((points) => points.map(({ name: title }) => title))
    : factFiles.read(handle, file).then((facts) => [...facts.keys()])
  return content.finally(() => handle.close())
}

const texts = {
  'tariff.csv': 'id,title,country,price_excl\r\ndoor,"Deur\r\nbij u",nl,5.00\r\ncafé,Café,nl,4.00\r\n',
  'tariff.json': '[\n{ "id": "café", "title": "Café", "country": "nl", "price_excl": 4 }\n]',
  'points.csv': 'id;name;zipcode;country\nams-1;Café;1012AB;nl\n',
  'points.geojson': `{ "features": [
    { "properties": { "id": "ams-1", "name": "Café", "zipcode": "1012AB", "country": "nl" } }
  ] }`,
  'facts.csv': 'article_code,cold\nCAFÉ,1\n',
}
const mark = '\uFEFF'
const utf8 = (text: string) => Buffer.from(text)
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const windows = (text: string) => Buffer.from(text, 'latin1')

const all = Object.entries(texts)
test.each(all)('%s is read with a mark of UTF-8, and as UTF-16 of either order', async (name, text) => {
  const plain = await read(name, utf8(text))
  expect(plain).toContainEqual(expect.stringMatching(/^café$/i))
  const [marked, bare] = [utf16(mark + text), utf16(text)]
  const swapped = [utf16(mark + text).swap16(), utf16(text).swap16()]
  for (const bytes of [utf8(mark + text), marked, bare, ...swapped])
    expect(await read(name, bytes)).toEqual(plain)
})

const saved = 'has characters that are not UTF-8: save the file as UTF-8'

test.each([
  ['tariff.csv', `tariff.csv:4 id: ${saved}`],
  ['tariff.json', `tariff.json row 1 id: ${saved}`],
  ['points.csv', `points.csv:2 name: ${saved}`],
  ['points.geojson', `points.geojson: point 1 name: ${saved}`],
  ['facts.csv', `facts.csv:2 article_code: ${saved}`],
] as const)(
  '%s in Windows-1252 is refused with its cell, also under a mark of UTF-8',
  async (name, message) => {
    const refused = (bytes: Buffer) => expect(read(name, bytes)).rejects.toThrow(message)
    await refused(windows(texts[name]))
    await refused(Buffer.concat([utf8(mark), windows(texts[name])]))
    // The characters were lost before: the file is UTF-8, and nobody knows what it said.
    await refused(utf8(texts[name].replace(/é/i, '\uFFFD')))
  },
)

test.each(Object.keys(texts))('%s with a mark of UTF-16 before bytes of UTF-8 is refused', async (name) => {
  const lie = Buffer.concat([Buffer.from([0xff, 0xfe]), utf8(texts[name as keyof typeof texts])])
  await expect(read(name, lie)).rejects.toThrow(name)
})

test('a character that two pieces of a file share is one, and a fault after it has its line', async () => {
  const lines = Array.from({ length: 6_000 }, (_, at) => `door${at},Café ${'é'.repeat(at % 3)},nl,5.00`)
  const text = `id,title,country,price_excl\n${lines.join('\n')}\nlast,Last "x",nl,5.00\n`
  for (const bytes of [utf8(text), utf16(mark + text)])
    await expect(read('tariff.csv', bytes)).rejects.toThrow('tariff.csv:6002 line: is not CSV')
  expect(await read('tariff.csv', utf8(text.replace('Last "x"', 'Last')))).toHaveLength(6_001)
})

test.each(['', 'x'])('a character of four bytes is one wherever pieces of a file end: %j', async (pad) => {
  const lines = Array.from({ length: 1_000 }, (_, at) => `door${at},${pad}${'😀'.repeat(100)},nl,5.00`)
  const text = `id,title,country,price_excl\n${lines.join('\n')}\n`
  expect(new Set((await read('tariff.csv', utf8(text))) as string[])).toEqual(
    new Set([pad + '😀'.repeat(100)]),
  )
})
