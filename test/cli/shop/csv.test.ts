import { expect, test } from 'vitest'
import { ShopCsv } from '../../../src/cli/shop/csv.ts'

test('a line of a file of shops is that of its editor, with line ends of Windows too', async () => {
  const csv = new ShopCsv()
  await csv.read('shop,settings\r\none,"{\r\n}"\r\ntwo,\r\n')
  expect(csv.rows.map(({ line }) => line)).toEqual([2, 4])
})
