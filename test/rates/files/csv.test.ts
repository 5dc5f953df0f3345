import { expect, test } from 'vitest'
import { ShopCsv } from '../../../src/cli/shop/csv.ts'
import { unixLines } from '../../../src/rates/files/csv.ts'

const join = async (...pieces: string[]) => {
  const given = async function* () {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  const read: Buffer[] = []
  for await (const piece of unixLines(given())) read.push(piece)
  return Buffer.concat(read).toString()
}

test('line ends of Windows become those of Unix, wherever a piece of the file ends', async () => {
  expect(await join('a\r', '\nb\r\n', 'é\r')).toBe('a\nb\né\r')
  expect(await join('a\r', '\r', '\nb\rc')).toBe('a\r\nb\rc')
})

test('a line of a file of shops is that of its editor, with line ends of Windows too', async () => {
  const csv = new ShopCsv()
  await csv.read('shop,settings\r\none,"{\r\n}"\r\ntwo,\r\n')
  expect(csv.rows.map(({ line }) => line)).toEqual([2, 4])
})
