import { changeKinds } from '../../rates/tariffs/changes.ts'
import { isDay, isTimeZone } from '../../rates/zoned-time.ts'
import {
  currency,
  decimal,
  type Given,
  isoMoment,
  json,
  oneOf,
  parsed,
  provider,
  reader,
  textOf,
} from '../table.ts'

const taxRate = textOf('Write a fraction below 1: 0.21 is 21 %.', /^0(\.\d{1,4})?$/)
const day = textOf('Write a day, such as 2026-12-31.', isDay)
const timeZone = textOf('Write the name of a time zone, such as Europe/Amsterdam.', isTimeZone)
const instant = reader('Write a time with its zone, such as 2026-12-24T16:30+01:00.', (text) =>
  /(Z|[+-]\d{2}:\d{2})$/.test(text) ? isoMoment(text) : undefined,
)
const numbers = reader('Write numbers, such as 0.5,2,10.', (text) => {
  const read = text.split(',').map(Number)
  return read.every((number) => number >= 0) ? read : undefined
})
const kinds = reader(`Name some of ${changeKinds.join(',')}, or any, or none.`, (text) => {
  if (text === 'any') return changeKinds
  if (text === 'none') return []
  const named = text.split(',').map((word) => changeKinds.find((one) => one === word.trim()))
  return named.every((word) => word !== undefined) ? named : undefined
})

export const tariffs = { '<old>': 'a .csv or .json file', '<new>': 'the file that replaces it' }
const amsterdam = { default: 'Europe/Amsterdam' }
const failOn = `exit with code 1 if prices changed in these ways: ${changeKinds.join(',')}, or any, or none`
export const compared = {
  '--at <day>': parsed('only the prices of one day, such as 2026-12-31; default: from now on', day),
  '--time-zone <name>': parsed('the time zone of the dates in the tariffs', timeZone, amsterdam),
  '--tax-rate <fraction>': parsed('tax of lines without a tax_rate', taxRate, { default: '0' }),
  '--currency <code>': parsed('only shops with this currency; default: each that a tariff names', currency),
  '--fail-on <kinds>': parsed(failOn, kinds, { default: ['lost'] }),
  ...json,
} as const
export type Compared = Given<typeof tariffs> & Given<typeof compared>

export const asked = {
  ...provider,
  '--file <request>':
    'the body of a POST shipment_methods; - reads standard input; default: a made-up checkout, as doctor asks',
  '--shop <id>': 'use the settings of this shop; default: the only one',
  ...json,
}
export type Asked = Given<typeof asked>

export const shown = {
  ...provider,
  '--to <destinations>': 'such as nl,be:1000; default: the zones of the tariff',
  '--weights <numbers>': parsed('such as 0.5,2,10; default: the bands of the tariff', numbers),
  '--value <decimal>': parsed('value of the cart', decimal, { default: '30' }),
  '--tax-rate <fraction>': parsed('tax rate of the goods in the cart', taxRate, { default: '0.21' }),
  '--currency <code>': parsed('currency of the shop; default: the only one of the tariff, or eur', currency),
  '--unit <unit>': oneOf('unit of the weights in a tariff', ['mg', 'g', 'kg', 'oz', 'lb'], {
    default: 'kg',
  }),
  '--shop <id>': 'use the settings of this shop; default: the only one of a provider',
  '--at <time>': parsed('show the prices and promises at this time, such as 2026-12-24T16:30+01:00', instant),
  ...json,
} as const
export type Shown = Given<typeof shown>
