import { changeKinds } from '../../adapters/table-rates/changes.ts'
import { isDay, isTimeZone } from '../../rates/zoned-time.ts'
import {
  type Command,
  currency,
  decimal,
  type Given,
  isoMoment,
  json,
  oneOf,
  parsed,
  plain,
  provider,
  reader,
  textOf,
} from '../table.ts'

const taxRate = textOf('A fraction below 1: 0.21 is 21 %.', /^0(\.\d{1,4})?$/)
const day = reader('A day, such as 2026-12-31.', (text) => (isDay(text) ? text : undefined))
const timeZone = reader('The name of a time zone, such as Europe/Amsterdam.', (text) =>
  isTimeZone(text) ? text : undefined,
)
const instant = reader('A time with its zone, such as 2026-12-24T16:30+01:00.', (text) =>
  /(Z|[+-]\d{2}:\d{2})$/.test(text) ? isoMoment(text) : undefined,
)
const numbers = reader('Numbers, such as 0.5,2,10.', (text) => {
  const read = text.split(',').map(Number)
  return read.every((number) => number >= 0) ? read : undefined
})
const kinds = reader(`Some of ${changeKinds.join(',')}, or any, or none.`, (text) => {
  if (text === 'any') return changeKinds
  if (text === 'none') return []
  const named = text.split(',').map((word) => changeKinds.find((one) => one === word.trim()))
  return named.every((word) => word !== undefined) ? named : undefined
})

const tariffs = { '<old>': 'a .csv or .json file', '<new>': 'the file that replaces it' }
const compared = {
  '--at <day>': parsed('only the prices of one day, such as 2026-12-31; default: from now on', day),
  '--time-zone <name>': parsed('the time zone of the dates in the tariffs', timeZone, {
    default: 'Europe/Amsterdam',
  }),
  '--tax-rate <fraction>': parsed('tax of lines without a tax_rate', taxRate, { default: '0' }),
  '--currency <code>': parsed('only shops with this currency; default: each that a tariff names', currency),
  '--fail-on <kinds>': parsed(
    `end with code 1 if there are some: ${changeKinds.join(',')}, or any, or none`,
    kinds,
    { default: ['lost'] },
  ),
  ...json,
} as const
export type Compared = Given<typeof tariffs> & Given<typeof compared>

const asked = {
  ...provider,
  '--file <request>':
    'the body of a POST shipment_methods; - reads standard input; default: a made-up checkout, as doctor asks',
  '--shop <id>': 'use the settings of this shop; default: the only one',
  ...json,
}
export type Asked = Given<typeof asked>

const shown = {
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
  '--at <time>': parsed('the prices and promises of then, such as 2026-12-24T16:30+01:00', instant),
  ...json,
} as const
export type Shown = Given<typeof shown>

// The functions load much, so each is in a file of its own.

const diff = plain({
  description: 'compare two tariffs: what gets dearer, cheaper, lost and new, with tax, for one parcel',
  examples: ['purveyor rates diff tariff.csv tariff-2027.csv --fail-on lost,dearer'],
  arguments: tariffs,
  options: compared,
  run: async (given) => (await import('./tariff.ts')).diff(given),
})

const explain = plain({
  description: 'explain why each method is in the answer to a checkout, or is not',
  examples: ['purveyor rates explain', 'purveyor rates explain --file request.json'],
  options: asked,
  run: async (given) => (await import('./explain.ts')).explain(given),
})

const lint = plain({
  description: 'find mistakes, gaps and overlaps in a tariff',
  examples: ['purveyor rates lint tariff.csv'],
  arguments: { '<table>': 'a .csv or .json file' },
  options: json,
  run: async ({ table, json }) => (await import('./tariff.ts')).lint(table, json),
})

const preview = plain({
  description: 'show prices as a grid of destinations and weights',
  examples: [
    'purveyor rates preview tariff.csv',
    'purveyor rates preview --to nl,be:1000 --weights 0.5,2,10',
  ],
  arguments: { '[table]': 'a .csv or .json file; default: the provider' },
  options: shown,
  run: async ({ table, ...given }) => (await import('./preview.ts')).preview(table, given),
})

export const command: Command = {
  description: 'inspect and explain shipping rates',
  commands: { diff, explain, lint, preview },
}
