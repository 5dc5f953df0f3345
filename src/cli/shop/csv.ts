import { delimiterOf, withUnixLines } from '../../adapters/csv.ts'
import { jsonIn } from '../../contract/json.ts'
import { counted } from '../../printable.ts'
import type { ListedShop, ShopFault } from '../../use-cases/shops/add-shops.ts'
import type { FileFault } from '../explain/file-faults.ts'

/** Each column of a file of shops. Only the first is needed. */
const columns = [
  'shop',
  'platform_id',
  'hosts',
  'settings',
  'platform_url',
  'platform_language',
  'platform_key',
  'platform_secret',
] as const
export type Column = (typeof columns)[number]

/** The columns of the credentials, by what each is called in the settings. */
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
  /** The place of each column, counted from 1. */
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
  let header: readonly string[] | undefined
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<Parsed>) {
      const line = info.lines - lineBreaksIn(raw)
      if (header) takeRow(read, header, record, line)
      else {
        header = record
        read.places = placesIn(header, line, read.faults)
      }
      if (!read.places.has('shop') || read.rows.length > mostRows) break
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const lines = Number(error.lines ?? 0)
    // The library's message may quote a cell.
    read.faults.push(
      fault(lines, 0, 'line', 'CSV_UNREADABLE', 'has a quote in the wrong place, or an unclosed quote'),
    )
  }
  if (read.rows.length > mostRows)
    read.faults.push(fault(0, 0, 'file', 'ROWS_TOO_MANY', `has more than ${mostRows} shops`))
  if (read.rows.length === 0 && read.faults.length === 0)
    read.faults.push(fault(1, 0, 'file', 'ROWS_MISSING', 'has no shop'))
  return read
}

interface Parsed {
  record: string[]
  raw: string
  info: { lines: number }
}

const fault = (
  line: number,
  column: number,
  name: string,
  code: CsvFault['code'],
  message: string,
): CsvFault => ({ line, column, name, code, message })

function placesIn(header: readonly string[], line: number, faults: CsvFault[]): Map<Column, number> {
  const places = new Map<Column, number>()
  for (const [index, text] of header.entries()) {
    const place = index + 1
    const name = columns.find((column) => column === text.toLowerCase())
    if (!name)
      faults.push(fault(line, place, `column ${place}`, 'COLUMN_UNKNOWN', 'is not the title of a column'))
    else if (places.has(name)) faults.push(fault(line, place, name, 'COLUMN_TWICE', 'appears twice'))
    else places.set(name, place)
  }
  if (!places.has('shop')) faults.push(fault(line, 0, 'shop', 'COLUMN_MISSING', 'is not in the header'))
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
    faults.push(fault(line, 0, 'line', 'CELLS_MISCOUNTED', message))
    return
  }
  const cell = (column: Column): string | undefined => cells[(places.get(column) ?? 0) - 1] || undefined
  const wrong = (column: Column, code: CsvFault['code'], message: string) =>
    void faults.push(fault(line, places.get(column) ?? 0, column, code, message))
  const given = settingsIn(cell('settings'), () =>
    wrong('settings', 'SETTINGS_INVALID', 'is not a JSON object'),
  )
  const credentials = Object.entries(credentialColumns).map(
    ([field, column]) => [field, cell(column)] as const,
  )
  const missing = Object.values(credentialColumns).filter((column) => cell(column) === undefined)
  const some = missing.length < credentials.length
  if (some && missing.length > 0)
    wrong(
      missing[0]!,
      'CREDENTIALS_INCOMPLETE',
      `is empty, and ${missing.length === 3 ? 'another is' : 'others are'} not`,
    )
  if (some && given?.credentials !== undefined)
    wrong('settings', 'CREDENTIALS_INCOMPLETE', 'has credentials, and so do the credential columns')
  const settings = some ? { ...given, credentials: Object.fromEntries(credentials) } : given
  rows.push({
    line,
    shop: {
      id: cell('shop') ?? '',
      ...(cell('platform_id') !== undefined && { platformId: cell('platform_id')! }),
      ...(cell('hosts') !== undefined && {
        hosts: cell('hosts')!
          .split(/[\s,;]+/)
          .filter(Boolean),
      }),
      ...(settings && !(some && missing.length > 0) && { settings }),
    },
  })
}

function settingsIn(text: string | undefined, wrong: () => void): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  const value = jsonIn(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  wrong()
  return undefined
}

const lineBreaksIn = (raw: string): number => raw.trim().split('\n').length - 1
