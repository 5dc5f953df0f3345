import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tableRates } from '../../../src/rates/index.ts'
import { fileWith } from '../../folder.ts'
import { asking } from '../adapters/quote.ts'

const header = 'id,title,country,price_excl\n'

test.each(['', `${header}door,Door,nl,"6,50"`])(
  'without looks a file that was faulty is read again: %j',
  async (before) => {
    const file = fileWith('tariff.csv', before)
    if (before === '') rmSync(file)
    const { rates } = asking(tableRates({ file, taxRate: 0, watch: false }))
    await expect(Promise.all([rates(), rates()])).rejects.toMatchObject({ code: 'RATE_TABLE_INVALID' })
    writeFileSync(file, `${header}door,Door,nl,7`)
    expect(await rates()).toEqual(['door 7.00'])
    writeFileSync(file, `${header}door,Door,nl,8`)
    expect(await rates()).toEqual(['door 7.00'])
  },
)
