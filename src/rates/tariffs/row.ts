import type { OfferedShipmentMethod } from '../../adapters/offered-methods.ts'
import { countryIn } from '../../contract/values.ts'
import { type Decimal, decimal, meantFraction, readDecimal } from '../../money/index.ts'
import { Cells, inMillionths, isCountry, noCountry, type ReportFault, readHeader } from '../files/cells.ts'
import { isLost, lost } from '../files/file-text.ts'
import { type Area, readAreas } from '../zipcodes/areas.ts'
import { plusDays, ZonedTime } from '../zoned-time.ts'

export type TableRow = NonNullable<ReturnType<typeof readRow>> & {
  offer?: { currency: string; method: OfferedShipmentMethod }
}

/** A line with `kind` surcharge: an addition to other lines, with dates of its own. */
export type SurchargeLine = NonNullable<ReturnType<typeof readSurchargeLine>>
export type TariffLine = TableRow | SurchargeLine

/** Defaults for rows that leave a column empty. */
export interface RowDefaults {
  /** The time zone of `valid_from` and `valid_until`. Default UTC. */
  timeZone?: string | undefined
  taxRate?: Decimal | number | undefined
  currency?: string | undefined
}

/**
 * Makes the function that reads one line of cells into a row; `undefined` where it has a fault, which is handed to `fault`. The
 * header is checked first; `undefined` when nothing can be read with it.
 */
export function rowReader(
  header: readonly string[],
  { taxRate: given, currency, timeZone = 'UTC' }: RowDefaults,
  fault: ReportFault,
): ((cells: readonly string[], line: number) => TariffLine | undefined) | undefined {
  const read = readHeader(header, given !== undefined, fault)
  if (!read) return undefined
  const taxRate = given === undefined ? undefined : readDecimal(given)
  const defaults: ReadDefaults = { taxRate, currency: currency?.toLowerCase(), time: new ZonedTime(timeZone) }
  return (cells, line) => {
    const at = cells.findIndex(isLost)
    if (at < 0) return readLine(new Cells(read, cells, line, fault), defaults)
    fault({ line, name: header[at]!, message: lost })
    return undefined
  }
}

interface ReadDefaults {
  time: ZonedTime
  taxRate: Decimal | undefined
  currency: string | undefined
  /** The cells with the places of the last line that had no fault, and what they mean. */
  last?: { key: string; places: Places }
}

function readLine(cells: Cells, defaults: ReadDefaults): TariffLine | undefined {
  const kind = cells.text('kind')
  if (kind === 'surcharge') return readSurchargeLine(cells, defaults)
  if (kind !== '' && kind !== 'rate')
    cells.wrong('kind', `${kind} is not a kind: write surcharge, rate or nothing`)
  if (cells.text('applies_to') !== '') cells.wrong('applies_to', 'is only for lines of kind surcharge')
  return readRow(cells, defaults)
}

function readSurchargeLine(cells: Cells, defaults: ReadDefaults) {
  const id = cells.text('id')
  if (id === '') cells.wrong('id', 'is empty: write the name of the surcharge')
  for (const name of ['price_excl', 'price_incl'] as const)
    if (cells.text(name) !== '')
      cells.wrong(name, 'is not a column of a surcharge: write surcharge or surcharge_percent')
  const amount = cells.number('surcharge')
  const percent = cells.number('surcharge_percent')
  const written = cells.text('surcharge') + cells.text('surcharge_percent')
  if (amount === undefined && percent === undefined && written === '')
    cells.wrong('surcharge_percent', 'is empty: write surcharge or surcharge_percent')
  const methods = cells.text('applies_to').split('|')
  const line = {
    kind: 'surcharge' as const,
    line: cells.line,
    id,
    ...readPlaces(cells, defaults),
    amount: amount ?? '0',
    percent: percent ?? '0',
    /** The ids of the methods that pay it. Empty: all. */
    appliesTo: methods.map((one) => one.trim()).filter(Boolean),
    ...readValidity(cells, defaults.time),
  }
  return cells.whole ? line : undefined
}

interface Places {
  /** Two-letter countries, or `*` for all others. */
  countries: readonly string[]
  areas: readonly Area[]
}

function readPlaces(cells: Cells, defaults: ReadDefaults): Places {
  const [country, zipcode, region] = [cells.text('country'), cells.text('zipcode'), cells.text('region')]
  // Most lines of a tariff repeat the place of the line above.
  const key = `${country}\n${zipcode}\n${region}`
  if (defaults.last?.key === key) return defaults.last.places
  const countries = readCountries(country, (message) => cells.wrong('country', message))
  for (const name of ['zipcode', 'region'] as const)
    if (countries[0] === '*' && cells.text(name) !== '')
      cells.wrong(name, `needs a country: * has no ${name}s`)
  const faults = new Set<string>()
  const fault = (message: string) => void faults.add(message)
  const areas = countries.flatMap((code) => readAreas(code, { zipcode, region }, fault))
  for (const message of faults)
    cells.wrong(/^has an? (empty )?region/.test(message) ? 'region' : 'zipcode', message)
  if (cells.whole) defaults.last = { key, places: { countries, areas } }
  return { countries, areas }
}

/** From midnight of the first day to midnight after the last one. */
function readValidity(cells: Cells, time: ZonedTime) {
  const from = cells.day('valid_from')
  const until = cells.day('valid_until')
  if (from && until && until < from) cells.wrong('valid_until', `${until} is before valid_from ${from}`)
  return {
    /** In use from then on, in milliseconds since 1970. */
    validFrom: from ? time.instantOf(from, 0) : Number.NEGATIVE_INFINITY,
    /** Not in use from then on. */
    validUntil: until ? time.instantOf(plusDays(until, 1), 0) : Number.POSITIVE_INFINITY,
  }
}

function readRow(cells: Cells, defaults: ReadDefaults) {
  const id = cells.text('id')
  if (id === '') cells.wrong('id', 'is empty: write the id of the shipping method')
  const title = cells.localText('title')
  if (title === undefined) cells.wrong('title', 'is empty: write what the customer reads')
  const price = readPrice(cells, defaults)
  const row = {
    line: cells.line,
    id,
    title: title ?? '',
    description: cells.localText('description'),
    ...readPlaces(cells, defaults),
    /** Above `from` (with 0: from 0 on) up to and with `to`. */
    weight: cells.band('weight_from', 'weight_to'),
    /** From `from` on, below `to`. */
    value: cells.band('value_from', 'value_to'),
    ...price,
    /** Added to the price, with or without tax as the price is. */
    surcharge: cells.number('surcharge'),
    surchargePercent: cells.number('surcharge_percent'),
    ...readValidity(cells, defaults.time),
    /** Free from this order value on, in millionths. */
    freeFrom: inMillionths(cells.number('free_from') ?? '0') || Number.POSITIVE_INFINITY,
    is_pickup: cells.flag('is_pickup'),
    is_servicepoint: cells.flag('is_servicepoint'),
    is_cash_on_delivery: cells.flag('is_cash_on_delivery'),
  }
  return cells.whole ? row : undefined
}

function readPrice(cells: Cells, defaults: ReadDefaults) {
  const excl = cells.number('price_excl')
  const incl = cells.number('price_incl')
  if (excl === undefined && incl === undefined) {
    // A wrong one was reported already.
    if (cells.text('price_excl') === '' && cells.text('price_incl') === '')
      cells.wrong(cells.has('price_excl') ? 'price_excl' : 'price_incl', 'is empty: write 0 for what is free')
  } else if (excl !== undefined && incl !== undefined) {
    cells.wrong('price_incl', 'and price_excl are both there: leave one empty')
  }
  const currency = cells.text('currency').toLowerCase()
  if (currency !== '' && !/^[a-z]{3}$/.test(currency))
    cells.wrong('currency', `${currency} is not a currency: write three letters such as eur`)
  const taxRate = cells.number('tax_rate') ?? defaults.taxRate
  if (taxRate === undefined) cells.wrong('tax_rate', 'is empty: write a fraction such as 0.21')
  else if (decimal(taxRate).gte(1))
    cells.wrong('tax_rate', `${taxRate} is ${taxRate} times the price: ${meantFraction(taxRate)}`)
  return {
    /** Lower case; `undefined` is the shop's. */
    currency: currency || defaults.currency,
    side: excl === undefined ? ('incl' as const) : ('excl' as const),
    amount: excl ?? incl ?? '0',
    /** Written without a point. */
    isWhole: !cells.text(excl === undefined ? 'price_incl' : 'price_excl').includes('.'),
    taxRate: taxRate ?? '0',
  }
}

export function readCountries(text: string, fault: (message: string) => void): readonly string[] {
  const codes = text.split('|').map(countryIn)
  if (text === '') fault('is empty: write a code such as nl, or * for all others')
  else if (codes.includes('*') && codes.length > 1) fault('* stands alone: it means all other countries')
  else {
    for (const code of codes) if (code !== '*' && !isCountry(code)) fault(noCountry(code))
  }
  return codes
}
