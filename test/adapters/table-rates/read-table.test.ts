import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readTariff, tariffs } from '../../../src/adapters/table-rates/read-table.ts'
import { folderWith } from '../../cli/command.ts'

const header = 'id,title,country,price_excl\n'

/** A disk that gives the header of a file and then fails with `code`. */
const failing = (code: string) =>
  ({
    read: async () => ({ buffer: Buffer.from(header), bytesRead: header.length }),
    createReadStream: () =>
      Readable.from(
        (async function* () {
          yield header
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
