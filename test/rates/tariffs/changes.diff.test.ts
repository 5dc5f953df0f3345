import { describe, expect, test } from 'vitest'
import { diffTariffs, type TariffChange } from '../../../src/rates/tariffs/changes.ts'
import { readTariff } from '../../../src/rates/tariffs/read-table.ts'
import { fileWith } from '../../folder.ts'

const tariff = (header: string, lines: readonly string[]) => {
  const file = fileWith('tariff.csv', `${[`id,title,country,${header}`, ...lines].join('\n')}\n`)
  return readTariff(file, { taxRate: '0', timeZone: 'UTC' })
}

const day = (time: number) => new Date(time).toJSON().slice(0, 10)
const words = (change: TariffChange) => {
  const { kind, method, to, weight, value, before, after, percent, currency, since, until } = change
  const parts = [
    `${kind} ${method} ${to.join('+')} ${weight.from}-${weight.to ?? ''}`,
    (value.from > 0 || value.to !== undefined) && `worth ${value.from}-${value.to ?? ''}`,
    currency,
    `${before ?? 'none'} > ${after ?? 'none'}`,
    percent !== undefined && `${percent} %`,
    since !== undefined && `since ${day(since)}`,
    until !== undefined && `until ${day(until)}`,
  ]
  return parts.filter(Boolean).join(' ')
}

async function changes(
  header: string,
  [before, after]: [readonly string[], readonly string[]],
  question: Partial<Parameters<typeof diffTariffs>[2]> = {},
) {
  const [old, young] = [await tariff(header, before), await tariff(header, after)]
  const at = Date.parse('2026-11-20T12:00:00Z')
  return diffTariffs(old, young, { at, later: true, ...question }).map(words)
}

const bands = 'weight_from,weight_to,price_excl'

describe('weights', () => {
  test('a tariff does not differ from itself', async () => {
    expect(await changes(bands, [['door,Door,nl,0,2,5'], ['door,Door,nl,0,2,5.00']])).toEqual([])
  })

  test('each band has its own change, and the first has the first line', async () => {
    const before = ['door,Door,nl,0,2,5', 'door,Door,nl,2,5,8', 'door,Door,nl,5,10,11']
    const after = ['door,Door,nl,0,2,5.5', 'door,Door,nl,2,5,7', 'door,Door,nl,5,12,11']
    expect(await changes(bands, [before, after])).toEqual([
      'dearer door nl 0-2 5.00 > 5.50 10 %',
      'cheaper door nl 2-5 8.00 > 7.00 -12.5 %',
      'new door nl 10-12 none > 11.00',
    ])
  })

  test('bands that are cut in another way are compared piece by piece, and equal pieces are one', async () => {
    const before = ['door,Door,nl,0,5,5', 'door,Door,nl,5,10,8']
    const after = ['door,Door,nl,0,3,5', 'door,Door,nl,3,4,6', 'door,Door,nl,4,5,6', 'door,Door,nl,5,9,8']
    expect(await changes(bands, [before, after])).toEqual([
      'dearer door nl 3-5 5.00 > 6.00 20 %',
      'lost door nl 9-10 8.00 > none',
    ])
  })

  test('a free rate has no percentage', async () => {
    const found = await changes(bands, [['door,Door,nl,,,0'], ['door,Door,nl,,,1']])
    expect(found).toEqual(['dearer door nl 0- 0.00 > 1.00'])
  })
})

describe('places', () => {
  const zones = 'zipcode,price_excl'

  test('countries and methods are lost and new, and equal changes are one', async () => {
    const before = ['door,Door,nl|be|de,,5', 'point,Point,nl,,4']
    const after = ['door,Door,nl,,5', 'door,Door,fr,,9', 'box,Box,nl,,3']
    expect(await changes(zones, [before, after])).toEqual([
      'lost point nl 0- 4.00 > none',
      'lost door be+de 0- 5.00 > none',
      'new box nl 0- none > 3.00',
      'new door fr 0- none > 9.00',
    ])
  })

  test('a country that loses its own lines has those of all others', async () => {
    const [own, others] = ['door,Door,nl,,5', 'door,Door,*,,20'] as const
    const lost = await changes(zones, [[own, others], [others]])
    expect(lost).toEqual(['dearer door nl 0- 5.00 > 20.00 300 %'])
    const gained = await changes(zones, [[others], [own, others]])
    expect(gained).toEqual(['cheaper door nl 0- 20.00 > 5.00 -75 %'])
  })

  test('a prefix and the range with the same zipcodes are one zone', async () => {
    const [before, after] = ['10*', '1000-1099'].map((zone) => ['door,Door,nl,,5', `door,Door,nl,${zone},8`])
    expect(await changes(zones, [before!, after!])).toEqual([])
  })

  test('zones that overlap are compared where they do', async () => {
    const before = ['door,Door,nl,,5', 'door,Door,nl,1000-1999,8']
    const after = ['door,Door,nl,,5', 'door,Door,nl,1500-2499,8']
    expect(await changes(zones, [before, after])).toEqual([
      'dearer door nl 2000-2499 0- 5.00 > 8.00 60 %',
      'cheaper door nl 1000-1499 0- 8.00 > 5.00 -37.5 %',
    ])
  })

  test('a zone within a zone is one of its own', async () => {
    const before = ['door,Door,nl,1000-1999,8', 'door,Door,nl,1100-1199,9', 'door,Door,nl,1150,12']
    const after = ['door,Door,nl,1000-1999,8', 'door,Door,nl,1100-1199,10', 'door,Door,nl,1150,12']
    expect(await changes(zones, [before, after])).toEqual(['dearer door nl 1100-1199 0- 9.00 > 10.00 11.1 %'])
  })

  test('letters in zipcodes are compared as letters', async () => {
    const before = ['door,Door,gb,BT*,9', 'door,Door,gb,,5']
    const after = ['door,Door,gb,BT*,9', 'door,Door,gb,BT1*,7', 'door,Door,gb,,5']
    expect(await changes(zones, [before, after])).toEqual(['cheaper door gb BT1* 0- 9.00 > 7.00 -22.2 %'])
  })

  test('a zone that is divided names its parts', async () => {
    const before = ['door,Door,nl,1000-1999,8']
    const after = ['door,Door,nl,1200-1299,8', 'door,Door,nl,1000-1199|1300-1999,9']
    expect(await changes(zones, [before, after])).toEqual([
      'dearer door nl 1000-1199+nl 1300-1999 0- 8.00 > 9.00 12.5 %',
    ])
  })
})

describe('values, currencies, surcharges and tax', () => {
  test('bands of value and free_from', async () => {
    const header = 'value_from,value_to,free_from,price_excl'
    const before = ['door,Door,nl,0,50,,5', 'door,Door,nl,50,,100,4']
    const found = await changes(header, [before, ['door,Door,nl,0,50,,5', 'door,Door,nl,50,,75,4']])
    expect(found).toEqual(['cheaper door nl 0- worth 75-100 4.00 > 0.00 -100 %'])
  })

  test('a shop gets the lines of its currency; another currency is neither dearer nor cheaper', async () => {
    const header = 'currency,price_excl'
    const before = ['door,Door,nl,eur,5', 'door,Door,nl,usd,6']
    const after = ['door,Door,nl,eur,5.5', 'door,Door,nl,usd,6']
    expect(await changes(header, [before, after])).toEqual(['dearer door nl 0- eur 5.00 > 5.50 10 %'])
    expect(await changes(header, [before, after], { currency: 'usd' })).toEqual([])
    expect(await changes(header, [['door,Door,nl,eur,5'], ['door,Door,nl,usd,5']])).toEqual([
      'currency door nl 0- eur 5.00 > 5.00 usd',
      'currency door nl 0- usd 5.00 eur > 5.00',
    ])
    const yen = await changes(header, [['door,Door,nl,jpy,500'], ['door,Door,nl,jpy,550']])
    expect(yen).toEqual(['dearer door nl 0- jpy 500 > 550 10 %'])
  })

  test('a surcharge line changes the prices of its methods and places', async () => {
    const header = 'zipcode,kind,applies_to,surcharge_percent,price_excl'
    const before = ['door,Door,nl,,,,,10', 'point,Point,nl,,,,,10', 'fuel,,*,,surcharge,,10,']
    const after = ['door,Door,nl,,,,,10', 'point,Point,nl,,,,,10', 'fuel,,nl,9000-9999,surcharge,door,20,']
    expect(await changes(header, [before, after])).toEqual([
      'dearer door nl 9000-9999 0- 11.00 > 12.00 9.1 %',
      'cheaper door nl 0- 11.00 > 10.00 -9.1 %',
      'cheaper point nl 0- 11.00 > 10.00 -9.1 %',
    ])
  })

  test('a tax that changes changes the price of the customer', async () => {
    const found = await changes('tax_rate,price_excl', [['door,Door,nl,0.09,10'], ['door,Door,nl,0.21,10']])
    expect(found).toEqual(['dearer door nl 0- 10.90 > 12.10 11 %'])
  })
})

describe('dates', () => {
  const header = 'valid_from,valid_until,price_excl'
  const plain = ['door,Door,nl,,,5']
  const dated = [
    'door,Door,nl,,2026-11-30,5',
    'door,Door,nl,2026-12-01,2026-12-31,6',
    'door,Door,nl,2027-01-01,,5',
  ]

  test('a change has its first and last day', async () => {
    expect(await changes(header, [plain, dated])).toEqual([
      'dearer door nl 0- 5.00 > 6.00 20 % since 2026-12-01 until 2026-12-31',
    ])
  })

  test('one instant alone', async () => {
    const on = (day: string) =>
      changes(header, [plain, dated], { at: Date.parse(`${day}T00:00:00Z`), later: false })
    expect(await on('2026-11-30')).toEqual([])
    expect(await on('2026-12-31')).toEqual(['dearer door nl 0- 5.00 > 6.00 20 %'])
  })

  test('what is over does not count', async () => {
    const over = ['door,Door,nl,,2026-10-31,9', 'door,Door,nl,2026-11-01,,5']
    expect(await changes(header, [plain, over])).toEqual([])
  })

  test('a line that ends without another is lost from then on', async () => {
    const found = await changes(header, [plain, dated.slice(0, 1)])
    expect(found).toEqual(['lost door nl 0- 5.00 > none since 2026-12-01'])
  })
})
