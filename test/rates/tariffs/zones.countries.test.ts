import { describe, expect, test } from 'vitest'
import { flatRate, pickupPoints, tableRates, when } from '../../../src/rates/index.ts'
import { fileWith } from '../../folder.ts'
import { asking } from '../adapters/quote.ts'
import { zipcodeExamples } from '../zipcodes/examples.ts'

const door = flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0' })

/** A zipcode in other clothes: small letters, blanks and full-width digits. */
const inOtherClothes = (zipcode: string) =>
  ` ${zipcode.toLowerCase().replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))} `

describe.each(zipcodeExamples)('%s: %s and %s', (country, one, other, prefix, range) => {
  /** The price of the line that wins, of one line each for these cells. */
  const winner = async (zipcode: string, ...cells: string[]) => {
    const lines = cells.map((cell, at) => `door,Door,${country},${cell},${at + 1}`)
    const csv = `id,title,country,zipcode,price_excl\n${lines.join('\n')}\n`
    const [rate = ''] = await asking(tableRates({ file: fileWith('zones.csv', csv), taxRate: 0 })).rates({
      country,
      zipcode,
    })
    return cells[Number(rate.replace('door ', '')) - 1]
  }

  test('a tariff charges what the narrowest zone costs', async () => {
    for (const zipcode of [one, inOtherClothes(one)]) {
      expect(await winner(zipcode, '', prefix, one)).toBe(one)
      expect(await winner(zipcode, one, prefix, '')).toBe(one)
      expect(await winner(zipcode, '', prefix, other)).toBe(prefix)
      expect(await winner(zipcode, '', range, other)).toBe(range)
      expect(await winner(zipcode, '', other, `!${other}`)).toBe(`!${other}`)
      expect(await winner(zipcode, '', `!${prefix}`)).toBe('')
    }
    expect(await winner(other, '', prefix, range)).toBe('')
    expect(await winner(other, '', `!${prefix}`)).toBe(`!${prefix}`)
    expect(await winner('', '', prefix, range, one)).toBe('')
  })

  test('`when` asks for the zipcodes that it names', async () => {
    for (const cell of [one, prefix, range, `!${other}`]) {
      const { rates } = asking(when({ countries: [country], zipcodes: [cell] }, door))
      expect([
        cell,
        await rates({ country, zipcode: one }),
        await rates({ country, zipcode: other }),
      ]).toEqual([cell, ['door 5.00'], ['none: not to this zipcode']])
    }
  })

  test('the point with the zipcode comes first', async () => {
    const file = fileWith(
      'zones.csv',
      `id,name,zipcode,country\na,A,${other},${country.toUpperCase()} \nb,B,${inOtherClothes(one)},${country}\n`,
    )
    const { ask } = asking(pickupPoints({ file, incl: '3', taxRate: 0, nearest: 1 }))
    expect(await ask({ country, zipcode: one })).toMatchObject([{ id: 'points-b' }])
    expect(await ask({ country, zipcode: other })).toMatchObject([{ id: 'points-a' }])
  })
})

test('the table has forty countries at least', () => {
  expect(new Set(zipcodeExamples.map(([country]) => country)).size).toBeGreaterThanOrEqual(40)
})
