import { jsonIn } from '../../contract/texts.ts'
import { readCsv } from '../../rates/files/file-text.ts'
import type { ListedShop, ShopFault } from '../../shops/add-shops.ts'
import type { FileFault } from '../explain/pages.ts'

export const credentialColumns = {
  baseUrl: 'platform_url',
  language: 'platform_language',
  key: 'platform_key',
  secret: 'platform_secret',
} as const

/** Each column of a file of shops. Only the first is needed. */
const columns = ['shop', 'platform_id', 'hosts', 'settings', ...Object.values(credentialColumns)] as const
export type Column = (typeof columns)[number]

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

const mostRows = 10_000

/** A file of shops: a header, then a line for each shop, with commas, semicolons or tabs between its cells. */
export class ShopCsv {
  readonly rows: { line: number; shop: ListedShop }[] = []
  readonly faults: CsvFault[] = []
  readonly #places = new Map<string, number>()

  has(column: Column): boolean {
    return this.#places.has(column)
  }

  /** Notes a fault of a column, or of the whole line where `name` is none. */
  fault(line: number, name: string, code: CsvFault['code'], message: string, place?: number): void {
    this.faults.push({ line, column: place ?? this.#places.get(name) ?? 0, name, code, message })
  }

  async read(text: string): Promise<void> {
    const firstLine = (cells: readonly string[], last: number) =>
      last - (cells.join('').split('\n').length - 1)
    const begin = (header: readonly string[], last: number) => {
      this.#takeHeader(header, firstLine(header, last))
      return (cells: readonly string[], end: number) => {
        if (this.has('shop') && this.rows.length <= mostRows) this.#takeRow(cells, firstLine(cells, end))
      }
    }
    const file = { readFile: async () => Buffer.from(text) }
    await readCsv(file, begin, (line, message, code) => this.fault(line, 'line', code, message))
    if (this.rows.length > mostRows) this.fault(0, 'file', 'ROWS_TOO_MANY', `has more than ${mostRows} shops`)
    if (this.rows.length + this.faults.length === 0) this.fault(1, 'file', 'ROWS_MISSING', 'has no shop')
  }

  #takeHeader(header: readonly string[], line: number): void {
    for (const [index, text] of header.entries()) {
      const place = index + 1
      const name = columns.find((column) => column === text.toLowerCase())
      if (!name) this.fault(line, `column ${place}`, 'COLUMN_UNKNOWN', 'is not the title of a column', place)
      else if (this.has(name)) this.fault(line, name, 'COLUMN_TWICE', 'appears twice', place)
      else this.#places.set(name, place)
    }
    if (!this.has('shop')) this.fault(line, 'shop', 'COLUMN_MISSING', 'is not in the header')
  }

  #takeRow(cells: readonly string[], line: number): void {
    const cell = (column: Column): string | undefined =>
      cells[(this.#places.get(column) ?? 0) - 1] || undefined
    const given = settingsIn(cell('settings'))
    if (given === 'invalid') this.fault(line, 'settings', 'SETTINGS_INVALID', 'is not a JSON object')
    const own = given === 'invalid' ? undefined : given
    const names = Object.entries(credentialColumns)
    const missing = names.flatMap(([, column]) => (cell(column) === undefined ? column : []))
    const some = missing.length < names.length
    if (some && missing.length > 0) {
      const others = missing.length === 3 ? 'another is' : 'others are'
      this.fault(line, missing[0]!, 'CREDENTIALS_INCOMPLETE', `is empty, and ${others} not`)
    }
    if (some && own?.credentials !== undefined) {
      const message = 'has credentials, and so do the credential columns'
      this.fault(line, 'settings', 'CREDENTIALS_INCOMPLETE', message)
    }
    const credentials = Object.fromEntries(names.map(([field, column]) => [field, cell(column)]))
    const settings = some ? { ...own, credentials } : own
    const named = cell('hosts')
    const hosts = named === undefined ? named : (named.match(/[^\s,;]+/g) ?? [])
    const shop: ListedShop = { id: cell('shop') ?? '', platformId: cell('platform_id'), hosts }
    this.rows.push({ line, shop: some && missing.length > 0 ? shop : { ...shop, settings } })
  }
}

function settingsIn(text: string | undefined): Record<string, unknown> | 'invalid' | undefined {
  if (text === undefined) return undefined
  const value = jsonIn(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : 'invalid'
}
