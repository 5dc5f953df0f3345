import type { LocalText } from '../../adapters/offered-methods.ts'
import { didYouMean } from '../../checked-options.ts'
import { countryIn } from '../../contract/values.ts'
import { type Decimal, decimal, readDecimal } from '../../money/index.ts'
import { type Day, isDay } from '../zoned-time.ts'
import { columnFaults, flagIn, noFlag } from './file-text.ts'

/** Created for the first code, because it would slow down every start of a process. */
let names: Intl.DisplayNames | undefined

/** Codes with a name that are not a country to send a parcel to. */
const noCountries = new Set('eu ez un zz xa xb qo'.split(' '))
/** The code in use for another one, such as that of a country with a new name. */
const inUse = (code: string): string | undefined => new Intl.Locale(`und-${code}`).region?.toLowerCase()

/** Whether two letters are a country's code (ISO 3166) that is in use. */
export function isCountry(code: string): boolean {
  if (!/^[a-z]{2}$/.test(code) || noCountries.has(code) || inUse(code) !== code) return false
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code.toUpperCase()) !== undefined
}

/** The sentence about a code that is no country's. */
export const noCountry = (code: string): string => `${code} ${countryFault(code)}`

/** The same, to stand behind the place of the code. */
export function countryFault(code: string): string {
  const small = countryIn(code)
  const current = /^[a-z]{2}$/.test(small) ? inUse(small) : codeOf(small)
  const meant = current !== undefined && isCountry(current) ? current : 'two letters such as nl'
  return `is not a country: write ${meant}`
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']

export const countryCodes = (): string[] =>
  letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry)

const codeOf = (name: string): string | undefined =>
  countryCodes().find((code) => names?.of(code.toUpperCase())?.toLowerCase() === name)

// The cells of a tariff by the names of their columns.

export interface TableFault {
  /** The line in the file, or the place in the list of JSON rows; counted from 1. 0 for the whole file. */
  line: number
  /** The name of the column; `line` or `file` for all of it. */
  name: string
  message: string
}

const columns = [
  ...(['id', 'title', 'description', 'country', 'zipcode', 'region'] as const),
  ...(['weight_from', 'weight_to', 'value_from', 'value_to', 'price_excl', 'price_incl'] as const),
  ...(['tax_rate', 'currency', 'surcharge', 'surcharge_percent', 'free_from'] as const),
  ...(['valid_from', 'valid_until', 'kind', 'applies_to'] as const),
  ...(['is_pickup', 'is_servicepoint', 'is_cash_on_delivery'] as const),
]
export type Column = (typeof columns)[number]

const isColumn = (name: string): boolean =>
  (columns as readonly string[]).includes(name) || localColumn.test(name)

const localColumn = /^(title|description)_([a-z]{2})$/
/** In millionths, so that a comparison is exact: of the table's unit of weight, or of a currency's main unit. */
export interface Band {
  from: number
  to: number
}

const perUnit = 1_000_000
/** Rounded from the seventh digit on. */
export function inMillionths(amount: Decimal): number {
  const near = Number(amount)
  if (Number.isInteger(near)) return near * perUnit
  // With six digits at most, the nearest float is far closer to the right whole number than to any other.
  const digits = amount.length - amount.indexOf('.') - 1
  if (digits <= 6 && Math.abs(near) < 1e9) return Math.round(near * perUnit)
  return Math.round(Number(decimal(amount).times(perUnit)))
}

export const fromMillionths = (amount: number): string => String(amount / perUnit)
export type ReportFault = (fault: TableFault) => void
export type Header = NonNullable<ReturnType<typeof readHeader>>

export function readHeader(header: readonly string[], hasTaxRate: boolean, fault: ReportFault) {
  const places = new Map<string, number>()
  /** By language: the columns such as `title_nl`. */
  const languages = { title: new Map<string, number>(), description: new Map<string, number>() }
  let sound = true
  const wrong = (name: string, message: string) => {
    sound = false
    fault({ line: 1, name, message })
  }
  const names = header.map((given) => given.trim().toLowerCase())
  if (names.length > 0 && !names.some(isColumn)) {
    wrong('file', 'is not a tariff: its first line names no column, such as id, title, country or price_excl')
    return undefined
  }
  for (const { name, message } of columnFaults(names, noColumn)) wrong(name, message)
  for (const [index, name] of names.entries()) {
    const [, text, language] = localColumn.exec(name) ?? []
    places.set(name, index)
    if (text) languages[text as 'title'].set(language!, index)
  }
  const has = (name: Column) => places.has(name)
  const missing = (name: string, what: string) => wrong(name, `is missing: add ${what}`)
  if (!has('id')) missing('id', 'a column id, the same for every line of one shipping method')
  if (!has('title') && languages.title.size === 0) missing('title', 'a column title, or title_nl and so on')
  if (!has('country')) missing('country', 'a column country, with codes such as nl, be|lu, or *')
  if (!has('price_excl') && !has('price_incl')) missing('price_excl', 'a column price_excl or price_incl')
  if (!has('tax_rate') && !hasTaxRate)
    missing('tax_rate', "a column tax_rate such as 0.21, or the option taxRate: '0.21'")
  return sound ? { places, languages } : undefined
}

const noColumn = (name: string): string | undefined =>
  isColumn(name) ? undefined : `is not a column of a tariff: ${didYouMean(name, [...columns, 'title_nl'])}`

/** One line of a table. Each read reports what is wrong with its cell. */
export class Cells {
  readonly line: number
  whole = true
  readonly #header: Header
  readonly #cells: readonly string[]
  readonly #fault: ReportFault

  constructor(header: Header, cells: readonly string[], line: number, fault: ReportFault) {
    this.#header = header
    this.#cells = cells
    this.line = line
    this.#fault = fault
  }

  wrong(name: string, message: string): undefined {
    this.whole = false
    this.#fault({ line: this.line, name, message })
  }

  has(name: Column): boolean {
    return this.#header.places.has(name)
  }

  text(name: Column): string {
    const place = this.#header.places.get(name)
    return place === undefined ? '' : (this.#cells[place] ?? '').trim()
  }

  number(name: Column): Decimal | undefined {
    const text = this.text(name)
    if (text === '') return undefined
    const read = readDecimal(text)
    if (read === undefined) return this.wrong(name, notANumber(text))
    return read.startsWith('-') ? this.wrong(name, `${text} is below 0: write 0 or more`) : read
  }

  band(from: Column, to: Column): Band {
    const start = inMillionths(this.number(from) ?? '0')
    const end = this.number(to)
    if (end === undefined) return { from: start, to: Number.POSITIVE_INFINITY }
    const last = inMillionths(end)
    if (last <= start) this.wrong(to, `${end} is not above ${from} ${fromMillionths(start)}`)
    return { from: start, to: last }
  }

  day(name: Column): Day | undefined {
    const text = this.text(name)
    if (text === '' || isDay(text)) return text || undefined
    return this.wrong(name, `${text} is not a day: write 2026-12-31`)
  }

  flag(name: Column): boolean {
    const text = this.text(name).toLowerCase()
    return flagIn(text) ?? this.wrong(name, `${text} ${noFlag}`) ?? false
  }

  localText(name: 'title' | 'description'): LocalText | undefined {
    const plain = this.text(name)
    const languages = this.#header.languages[name]
    if (languages.size === 0) return plain || undefined
    const local: Record<string, string> = {}
    for (const [language, place] of languages) {
      const text = (this.#cells[place] ?? '').trim()
      if (text) local[language] = text
    }
    if (plain) local.en ??= plain
    return Object.keys(local).length > 0 ? local : undefined
  }
}

function notANumber(text: string): string {
  if (/^\d+,\d+$/.test(text)) return `${text} has a comma: write ${text.replace(',', '.')}`
  return `${text} is not a number: write digits and a point, such as 4.95`
}
