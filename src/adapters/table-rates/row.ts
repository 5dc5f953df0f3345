import { type Decimal, decimal, readDecimal } from '../../money/index.ts'
import type { OfferedShipmentMethod } from '../../rates/adapter.ts'
import type { LocalText } from '../../rates/local-text.ts'
import { isCountry } from './countries.ts'

/** A zipcode, a prefix (`10*`) or a range (`1000-1999`), in capitals and without spaces. */
export type Zipcodes = { kind: 'prefix'; prefix: string } | { kind: 'range'; from: string; to: string }

/** In millionths, so that a comparison is exact: of the table's unit of weight, or of a currency's main unit. */
export interface Band {
  from: number
  to: number
}

export interface TableRow {
  line: number
  id: string
  title: LocalText
  description: LocalText | undefined
  /** Two-letter countries, or `*` for all others. */
  countries: readonly string[]
  /** Empty: the whole country. */
  zipcodes: readonly Zipcodes[]
  /** Above `from` (with 0: from 0 on) up to and with `to`. */
  weight: Band
  /** From `from` on, below `to`. */
  value: Band
  /** Lower case; `undefined` is the shop's. */
  currency: string | undefined
  side: 'excl' | 'incl'
  amount: Decimal
  taxRate: Decimal
  /** Added to the price, with or without tax as the price is. */
  surcharge: Decimal | undefined
  surchargePercent: Decimal | undefined
  /** Free from this order value on, in millionths. */
  freeFrom: number
  is_pickup: boolean
  is_servicepoint: boolean
  is_cash_on_delivery: boolean
  /** Made when the row is first offered. */
  offer?: { currency: string; method: OfferedShipmentMethod }
}

export interface TableFault {
  /** The line in the file, or the place in the list of JSON rows; counted from 1. */
  line: number
  /** Counted from 1; 0 for the whole line. */
  column: number
  name: string
  message: string
}

const columns = [
  'id',
  'title',
  'description',
  'country',
  'zipcode',
  'weight_from',
  'weight_to',
  'value_from',
  'value_to',
  'price_excl',
  'price_incl',
  'tax_rate',
  'currency',
  'surcharge',
  'surcharge_percent',
  'free_from',
  'is_pickup',
  'is_servicepoint',
  'is_cash_on_delivery',
] as const
type Column = (typeof columns)[number]

const localColumn = /^(title|description)_([a-z]{2})$/
const perUnit = 1_000_000

/** Defaults for rows that leave a column empty. */
export interface RowDefaults {
  taxRate?: Decimal | number | undefined
  currency?: string | undefined
}

export const inMillionths = (amount: Decimal): number =>
  Number.isInteger(Number(amount))
    ? Number(amount) * perUnit
    : Math.round(Number(decimal(amount).times(perUnit)))

export const fromMillionths = (amount: number): string => String(amount / perUnit)

/**
 * Makes the function that reads one line of cells into a row; `undefined` where it has a fault, which is handed to `fault`. The
 * header is checked first; `undefined` when nothing can be read with it.
 */
export function rowReader(
  header: readonly string[],
  defaults: RowDefaults,
  fault: (fault: TableFault) => void,
): ((cells: readonly string[], line: number) => TableRow | undefined) | undefined {
  const names = header.map((name) => name.trim().toLowerCase())
  const places = new Map<string, number>()
  const languages = { title: new Map<string, number>(), description: new Map<string, number>() }
  let sound = true
  const headerFault = (column: number, name: string, message: string) => {
    sound = false
    fault({ line: 1, column, name, message })
  }
  for (const [place, name] of names.entries()) {
    const [, text, language] = localColumn.exec(name) ?? []
    if (places.has(name)) headerFault(place + 1, name, 'appears twice: remove one')
    places.set(name, place)
    if (text) languages[text as 'title'].set(language!, place)
    else if (!(columns as readonly string[]).includes(name)) {
      headerFault(
        place + 1,
        name,
        `is no column of a tariff. Columns are ${columns.join(', ')}, title_nl, ...`,
      )
    }
  }
  const has = (name: Column) => places.has(name)
  const missing = (name: string, what: string) => headerFault(0, name, `is missing: add ${what}`)
  if (!has('id')) missing('id', 'a column id, the same for every line of one shipping method')
  if (!has('title') && languages.title.size === 0) missing('title', 'a column title, or title_nl and so on')
  if (!has('country')) missing('country', 'a column country, with codes such as nl, be|lu, or *')
  if (!has('price_excl') && !has('price_incl')) missing('price_excl', 'a column price_excl or price_incl')
  if (!has('tax_rate') && defaults.taxRate === undefined) {
    missing('tax_rate', "a column tax_rate such as 0.21, or the option taxRate: '0.21'")
  }
  if (!sound) return undefined

  const taxRate = defaults.taxRate === undefined ? undefined : readDecimal(defaults.taxRate)
  const currency = defaults.currency?.toLowerCase()

  return (cells, line) => {
    let whole = true
    const wrong = (name: string, message: string): undefined => {
      whole = false
      fault({ line, column: (places.get(name) ?? -1) + 1, name, message })
    }
    const cell = (name: Column): string => {
      const place = places.get(name)
      return place === undefined ? '' : (cells[place] ?? '').trim()
    }
    const number = (name: Column): Decimal | undefined => {
      const text = cell(name)
      if (text === '') return undefined
      const read = readDecimal(text)
      if (read === undefined) return wrong(name, notANumber(text))
      return read.startsWith('-') ? wrong(name, `${text} is below 0: write 0 or more`) : read
    }
    const band = (from: Column, to: Column): Band => {
      const start = inMillionths(number(from) ?? '0')
      const end = number(to)
      if (end === undefined) return { from: start, to: Number.POSITIVE_INFINITY }
      const last = inMillionths(end)
      if (last <= start) wrong(to, `${end} is not above ${from} ${fromMillionths(start)}`)
      return { from: start, to: last }
    }
    const flag = (name: Column): boolean => {
      const text = cell(name).toLowerCase()
      if (text === '' || text === '0' || text === 'false') return false
      if (text === '1' || text === 'true') return true
      wrong(name, `${text} is neither true nor false: write true, false, 1, 0 or nothing`)
      return false
    }
    const texts = (name: 'title' | 'description'): LocalText | undefined => {
      const plain = cell(name)
      if (languages[name].size === 0) return plain || undefined
      const local: Record<string, string> = {}
      for (const [language, place] of languages[name]) {
        const text = (cells[place] ?? '').trim()
        if (text) local[language] = text
      }
      if (plain) local.en ??= plain
      return Object.keys(local).length > 0 ? local : undefined
    }

    const id = cell('id')
    if (id === '') wrong('id', 'is empty: write the id of the shipping method')
    const title = texts('title')
    if (title === undefined) wrong('title', 'is empty: write what the customer reads')
    const countries = readCountries(cell('country'), (message) => wrong('country', message))
    const zipcodes = readZipcodes(cell('zipcode'), (message) => wrong('zipcode', message))
    if (zipcodes.length > 0 && countries[0] === '*') wrong('zipcode', 'needs a country: * has no zipcodes')

    const excl = number('price_excl')
    const incl = number('price_incl')
    if (excl === undefined && incl === undefined) {
      // A wrong one was reported already.
      if (cell('price_excl') === '' && cell('price_incl') === '')
        wrong(has('price_excl') ? 'price_excl' : 'price_incl', 'is empty: write 0 for what is free')
    } else if (excl !== undefined && incl !== undefined) {
      wrong('price_incl', 'and price_excl are both there: leave one empty')
    }
    const currencyCell = cell('currency').toLowerCase()
    if (currencyCell !== '' && !/^[a-z]{3}$/.test(currencyCell)) {
      wrong('currency', `${currencyCell} is no currency: write three letters such as eur`)
    }
    const rate = number('tax_rate') ?? taxRate
    if (rate === undefined) wrong('tax_rate', 'is empty: write a fraction such as 0.21')
    else if (decimal(rate).gte(1))
      wrong('tax_rate', `${rate} is ${rate} times the price: write a fraction such as 0.21`)

    const row: TableRow = {
      line,
      id,
      title: title ?? '',
      description: texts('description'),
      countries,
      zipcodes,
      weight: band('weight_from', 'weight_to'),
      value: band('value_from', 'value_to'),
      currency: currencyCell || currency,
      side: excl === undefined ? 'incl' : 'excl',
      amount: excl ?? incl ?? '0',
      taxRate: rate ?? '0',
      surcharge: number('surcharge'),
      surchargePercent: number('surcharge_percent'),
      freeFrom: inMillionths(number('free_from') ?? '0') || Number.POSITIVE_INFINITY,
      is_pickup: flag('is_pickup'),
      is_servicepoint: flag('is_servicepoint'),
      is_cash_on_delivery: flag('is_cash_on_delivery'),
    }
    return whole ? row : undefined
  }
}

function notANumber(text: string): string {
  if (/^\d+,\d+$/.test(text)) return `${text} has a comma: write ${text.replace(',', '.')}`
  return `${text} is no number: write digits and a point, such as 4.95`
}

// Most cells of a tariff repeat the cell above.
const knownCountries = new Map<string, readonly string[]>()

export function readCountries(text: string, fault: (message: string) => void): readonly string[] {
  const known = knownCountries.get(text)
  if (known) return known
  const codes = text
    .toLowerCase()
    .split('|')
    .map((code) => code.trim())
  if (text === '') fault('is empty: write a code such as nl, or * for all others')
  else if (codes.includes('*') && codes.length > 1) fault('* stands alone: it means all other countries')
  else {
    const unknown = codes.filter((code) => code !== '*' && !isCountry(code))
    for (const code of unknown)
      fault(`${code} is no country: write two letters such as nl${code === 'uk' ? ' (gb)' : ''}`)
    if (unknown.length === 0 && knownCountries.size < 1_000) knownCountries.set(text, codes)
  }
  return codes
}

export function readZipcodes(text: string, fault: (message: string) => void): Zipcodes[] {
  if (text === '') return []
  return text.split('|').flatMap((part): Zipcodes[] => {
    const zip = part.toUpperCase().replace(/\s+/g, '')
    const [, prefix] = /^([A-Z0-9]{1,10})\*$/.exec(zip) ?? []
    if (prefix) return [{ kind: 'prefix', prefix }]
    const [, from, to] = /^([A-Z0-9]{1,10})-([A-Z0-9]{1,10})$/.exec(zip) ?? []
    if (from && to) {
      if (from.length === to.length && from <= to) return [{ kind: 'range', from, to }]
      fault(`${part} is no range: write two zipcodes of one length, the lower one first, such as 1000-1999`)
      return []
    }
    if (/^[A-Z0-9]{1,10}$/.test(zip)) return [{ kind: 'range', from: zip, to: zip }]
    fault(`${part} is no zipcode: write 1012AB, a prefix such as 10*, or a range such as 1000-1999`)
    return []
  })
}

/** `1012 lg` and `1012LG` are one zipcode, and so are `00-950` and `00950`. */
export const zipcodeKey = (zipcode: string): string => zipcode.toUpperCase().replace(/[^A-Z0-9]+/g, '')
