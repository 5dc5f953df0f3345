import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { didYouMean } from '../../checked-options.ts'
import type { PurveyorError } from '../../errors/errors.ts'
import { counted } from '../../printable.ts'
import { isColumn, type ReportFault, type TableFault } from '../files/cells.ts'
import { linesOf, parserOf } from '../files/csv.ts'
import { fileInvalid, textOf } from '../files/file-text.ts'
import { type FileKind, WatchedFile } from '../files/watched-file.ts'
import { type Surcharge, surchargeOf } from './offers.ts'
import { type RowDefaults, rowReader, type TariffLine } from './row.ts'
import { type RateTable, tableOf } from './table.ts'

/** A tariff in memory, with its own surcharges prepared for look-ups. */
export interface Tariff {
  table: RateTable
  surcharges: readonly Surcharge[]
}

/** The error of an invalid tariff: file, line, column and what to write instead, for each fault. */
function tableInvalid(path: string, found: readonly TableFault[]): PurveyorError {
  const file = basename(path)
  const faults = found.map(({ line, row, name, message }) => {
    const place = line === 0 ? file : `${file}:${line}`
    return { path: `${place} ${row === undefined ? '' : `row ${row} `}${name}`, message }
  })
  return fileInvalid('RATE_TABLE_INVALID', 'The tariff', path, faults)
}

/**
 * Reads a tariff from an open CSV or JSON file without blocking the process for long. Rejects with `RATE_TABLE_INVALID`, which names every
 * fault.
 */
async function readTable(handle: FileHandle, file: string, defaults: RowDefaults): Promise<RateTable> {
  const faults: TableFault[] = []
  const fault = (one: TableFault) => void faults.push(one)
  const json = file.endsWith('.json') ? textOf(await handle.readFile()) : undefined
  const rows = json === undefined ? await readCsv(handle, defaults, fault) : readJson(json, defaults, fault)
  if (faults.length === 0 && rows.length === 0)
    fault({ line: 1, name: 'file', message: 'has no rows: write a header and one line for each rate' })
  const table = faults.length > 0 ? undefined : tableOf(rows)
  if (table) checkAppliesTo(table, fault)
  if (!table || faults.length > 0)
    throw tableInvalid(file, json === undefined ? faults : locatedIn(json, faults))
  return table
}

/** A surcharge for a method that the tariff does not have would never be charged. */
function checkAppliesTo({ rows, surcharges }: RateTable, fault: ReportFault): void {
  if (surcharges.every(({ appliesTo }) => appliesTo.length === 0)) return
  const ids = new Set(rows.map(({ id }) => id))
  for (const { line, appliesTo } of surcharges) {
    for (const id of appliesTo.filter((one) => !ids.has(one))) {
      const message = `${id} is not the id of a method: ${didYouMean(id, [...ids])}`
      fault({ line, name: 'applies_to', message })
    }
  }
}

export const tariffs = (defaults: RowDefaults): FileKind<Tariff> => ({
  code: 'RATE_TABLE_INVALID',
  option: 'tableRates()',
  async read(handle, file) {
    const table = await readTable(handle, file, defaults)
    return { table, surcharges: table.surcharges.map(surchargeOf) }
  },
  sizeOf: ({ table }) => table.rows.length,
})

/** Reads the tariff of a path, as it is now. Rejects with `RATE_TABLE_INVALID`; the error of a file that cannot be read names no faults. */
export const readTariff = (file: string, defaults: RowDefaults): Promise<Tariff> =>
  new WatchedFile(file, tariffs(defaults)).load()

const noCsv =
  'is not CSV: a quote opens in the middle of a cell. Put a cell with quotes into double quotes, and double every quote in it'
const unclosed =
  'is not CSV: a quote opens in this line and is never closed. Close it, or put the cell into double quotes and double every quote in it'

async function readCsv(handle: FileHandle, defaults: RowDefaults, fault: ReportFault): Promise<TariffLine[]> {
  const { CsvError } = await import('csv-parse')
  const parser = await parserOf(handle)
  const rows: TariffLine[] = []
  let width = 0
  let read: ReturnType<typeof rowReader>
  const take = ({ record, info }: { record: string[]; info: { lines: number } }) => {
    if (width === 0) {
      width = record.length
      read = rowReader(record, defaults, fault)
    } else if (record.length !== width) {
      const message = `has ${counted(record.length, 'cell')} and the header ${width}: put text with , or ; into double quotes`
      fault({ line: info.lines, name: 'line', message })
    } else {
      const row = read?.(record, info.lines)
      if (row) rows.push(row)
    }
  }
  return new Promise((resolve, reject) => {
    parser.on('readable', () => {
      for (let one = parser.read(); one !== null; one = parser.read()) take(one)
    })
    parser.on('error', (error: Error & { code?: string; lines?: number; bytes?: number }) => {
      if (!(error instanceof CsvError)) return reject(error)
      if (error.code !== 'CSV_QUOTE_NOT_CLOSED') {
        fault({ line: Number(error.lines ?? 0), name: 'line', message: noCsv })
        return resolve(rows)
      }
      // The parser names the last line of the file. Its bytes end where the row begins.
      lineAt(handle, Number(error.bytes)).then((line) => {
        fault({ line, name: 'line', message: unclosed })
        resolve(rows)
      }, reject)
    })
    parser.on('end', () => resolve(rows))
  })
}

/** The line in which the first bytes that the parser got end, from 1. */
async function lineAt(handle: FileHandle, bytes: number): Promise<number> {
  let line = 1
  let left = bytes
  for await (const part of linesOf(handle)) {
    for (const byte of part.subarray(0, left)) if (byte === 0x0a) line++
    // To the end: a stream that is left early closes the file.
    left = Math.max(0, left - part.length)
  }
  return line
}

function readJson(text: string, defaults: RowDefaults, fault: ReportFault): TariffLine[] {
  const unusable = (name: string, message: string): TariffLine[] => {
    fault({ line: 0, name, message })
    return []
  }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    const [, place] = / \((line \d+ column \d+)\)/.exec((error as Error).message) ?? []
    return unusable('file', `is not JSON${place === undefined ? '' : `: look at ${place}`}`)
  }
  const list = Array.isArray(given) ? given : (given as { rows?: unknown } | null)?.rows
  if (!Array.isArray(list) || list.some((row) => typeof row !== 'object' || row === null))
    return unusable('rows', 'is not a list of objects: write [{ "id": ..., "country": ... }]')
  const flat = list.map((row) => flatRow(row as Record<string, unknown>))
  const header = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  const read = rowReader(header, defaults, fault)
  const lines = flat.map((row) => header.map((name) => row[name] ?? ''))
  return lines.flatMap((cells, index) => read?.(cells, index + 1) ?? [])
}

/** The cells that a row of JSON stands for: lists joined, texts by language under their own names. */
function flatRow(row: Record<string, unknown>): Record<string, string> {
  const cells: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) {
    if (Array.isArray(value)) cells[name] = value.join('|')
    else if (typeof value === 'object' && value !== null) {
      for (const [language, text] of Object.entries(value)) cells[`${name}_${language}`] = String(text)
    } else if (value !== null && value !== undefined) cells[name] = String(value)
  }
  return cells
}

/** The lines of a row's members in the file, by the names of their columns; the row itself begins at the line of the name ''. */
type MemberLines = ReadonlyMap<string, number>

interface Open {
  isList: boolean
  /** The last name in an object. */
  key: string
  awaitsKey: boolean
}

/**
 * Faults of a JSON tariff, which name rows, with their lines in the file. A fault of a name that is no column is that of the header: it is
 * at the first row with that name.
 */
function locatedIn(text: string, faults: readonly TableFault[]): TableFault[] {
  if (faults.every(({ line }) => line === 0)) return [...faults]
  const rows = linesOfRows(text)
  return faults.map((fault) => {
    if (fault.line === 0) return fault
    const first = isColumn(fault.name) ? -1 : rows.findIndex((members) => members.has(fault.name))
    const row = first === -1 ? fault.line : first + 1
    const members = rows[row - 1]
    return { ...fault, row, line: members?.get(fault.name) ?? members?.get('') ?? 0 }
  })
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],\n]/gs

/** The lines of each row of a tariff, counted from 1. `text` is valid JSON: a list of objects, or an object whose `rows` is one. */
function linesOfRows(text: string): MemberLines[] {
  let rows: Map<string, number>[] = []
  const open: Open[] = []
  let list = Number.POSITIVE_INFINITY
  let line = 1
  for (const [token] of text.matchAll(tokens)) {
    const within = open.at(-1)
    if (token === '\n') line++
    else if (token === '{' || token === '[') {
      const isList = token === '['
      if (isList && (open.length === 0 || (open.length === 1 && within?.key === 'rows'))) {
        rows = []
        list = open.length
      }
      if (!isList && open.length === list + 1) rows.push(new Map([['', line]]))
      open.push({ isList, key: '', awaitsKey: !isList })
    } else if (token === '}' || token === ']') {
      open.pop()
      if (open.length === list) list = Number.POSITIVE_INFINITY
    } else if (token === ',') {
      if (within) within.awaitsKey = !within.isList
    } else if (within?.awaitsKey) {
      within.key = JSON.parse(token)
      within.awaitsKey = false
      // A text by language is a column of its own: `title_nl`.
      const names = open.slice(list + 1).map(({ key }) => key)
      if (names.length > 0) rows.at(-1)?.set(names.join('_'), line)
    }
  }
  return rows
}
