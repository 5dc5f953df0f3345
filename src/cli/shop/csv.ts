import { delimiterOf, withUnixLines } from '../../adapters/csv.ts'
import { jsonIn } from '../../contract/json.ts'
import { counted } from '../../printable.ts'
import type { ListedShop, ShopFault } from '../../use-cases/shops/add-shops.ts'
import type { FileFault } from '../explain/pages.ts'

/** Each column of a file of shops. Only the first is needed. */
const columns = [
  ...(['shop', 'platform_id', 'hosts', 'settings'] as const),
  ...(['platform_url', 'platform_language', 'platform_key', 'platform_secret'] as const),
] as const
export type Column = (typeof columns)[number]

export const credentialColumns = {
  baseUrl: 'platform_url',
  language: 'platform_language',
  key: 'platform_key',
  secret: 'platform_secret',
} as const satisfies Record<string, Column>

/** Never holds the content of a cell: it may be a secret. */
export interface CsvFault {
  /** Counted from 1. Of a row with line breaks, the first line. */
  line: number
  /** Counted from 1; 0 for the whole line. */
  column: number
  name: string
  code: FileFault | ShopFault['code']
  message: string
}

interface ShopRow {
  line: number
  shop: ListedShop
}

export interface ShopCsv {
  rows: ShopRow[]
  places: ReadonlyMap<Column, number>
  faults: CsvFault[]
}

const mostRows = 10_000

/** Reads a file of shops: a header, then a line for each shop, with commas, semicolons or tabs between its cells. */
export async function readShopCsv(text: string): Promise<ShopCsv> {
  const { CsvError, parse } = await import('csv-parse')
  const parser = parse({
    delimiter: delimiterOf(text),
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  })
  parser.end(withUnixLines(text))
  const read: ShopCsv = { rows: [], places: new Map(), faults: [] }
  const { rows, faults } = read
  let header: readonly string[] | undefined
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<Parsed>) {
      const line = info.lines - (raw.trim().split('\n').length - 1)
      if (header) takeRow(read, header, record, line)
      else {
        header = record
        read.places = placesIn(header, line, faults)
      }
      if (!read.places.has('shop') || rows.length > mostRows) break
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The library's message may quote a cell.
    const message = 'has a quote in the wrong place, or an unclosed quote'
    faults.push({ line: Number(error.lines ?? 0), column: 0, name: 'line', code: 'CSV_UNREADABLE', message })
  }
  const ofFile = (line: number, code: FileFault, message: string) =>
    faults.push({ line, column: 0, name: 'file', code, message })
  if (rows.length > mostRows) ofFile(0, 'ROWS_TOO_MANY', `has more than ${mostRows} shops`)
  if (rows.length === 0 && faults.length === 0) ofFile(1, 'ROWS_MISSING', 'has no shop')
  return read
}

interface Parsed {
  record: string[]
  raw: string
  info: { lines: number }
}

function placesIn(header: readonly string[], line: number, faults: CsvFault[]): Map<Column, number> {
  const places = new Map<Column, number>()
  const wrong = (column: number, name: string, code: FileFault, message: string) =>
    faults.push({ line, column, name, code, message })
  for (const [index, text] of header.entries()) {
    const place = index + 1
    const name = columns.find((column) => column === text.toLowerCase())
    if (!name) wrong(place, `column ${place}`, 'COLUMN_UNKNOWN', 'is not the title of a column')
    else if (places.has(name)) wrong(place, name, 'COLUMN_TWICE', 'appears twice')
    else places.set(name, place)
  }
  if (!places.has('shop')) wrong(0, 'shop', 'COLUMN_MISSING', 'is not in the header')
  return places
}

function takeRow(
  { rows, places, faults }: ShopCsv,
  header: readonly string[],
  cells: string[],
  line: number,
): void {
  if (cells.length !== header.length) {
    const message = `has ${counted(cells.length, 'cell')}, and the header has ${header.length}`
    faults.push({ line, column: 0, name: 'line', code: 'CELLS_MISCOUNTED', message })
    return
  }
  const cell = (column: Column): string | undefined => cells[(places.get(column) ?? 0) - 1] || undefined
  const wrong = (name: Column, code: CsvFault['code'], message: string) =>
    faults.push({ line, column: places.get(name) ?? 0, name, code, message })
  const given = settingsIn(cell('settings'))
  if (given === 'invalid') wrong('settings', 'SETTINGS_INVALID', 'is not a JSON object')
  const own = given === 'invalid' ? undefined : given
  const names = Object.entries(credentialColumns)
  const missing = names.flatMap(([, column]) => (cell(column) === undefined ? column : []))
  const some = missing.length < names.length
  if (some && missing.length > 0) {
    const others = missing.length === 3 ? 'another is' : 'others are'
    wrong(missing[0]!, 'CREDENTIALS_INCOMPLETE', `is empty, and ${others} not`)
  }
  if (some && own?.credentials !== undefined)
    wrong('settings', 'CREDENTIALS_INCOMPLETE', 'has credentials, and so do the credential columns')
  const credentials = Object.fromEntries(names.map(([field, column]) => [field, cell(column)]))
  const settings = some ? { ...own, credentials } : own
  const [platformId, hosts] = [cell('platform_id'), cell('hosts')]
  const shop: ListedShop = {
    id: cell('shop') ?? '',
    platformId,
    hosts: hosts?.split(/[\s,;]+/).filter(Boolean),
  }
  rows.push({ line, shop: some && missing.length > 0 ? shop : { ...shop, settings } })
}

function settingsIn(text: string | undefined): Record<string, unknown> | 'invalid' | undefined {
  if (text === undefined) return undefined
  const value = jsonIn(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : 'invalid'
}
