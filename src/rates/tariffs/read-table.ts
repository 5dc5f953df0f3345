import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { didYouMean } from '../../checked-options.ts'
import type { ReportFault, TableFault } from '../files/cells.ts'
import { fileInvalid, readCsv, textOf } from '../files/file-text.ts'
import { type FileKind, WatchedFile } from '../files/watched-file.ts'
import { type Surcharge, surchargeOf } from './offers.ts'
import { type RowDefaults, rowReader, type TariffLine } from './row.ts'
import { type RateTable, tableOf } from './table.ts'

export interface Tariff {
  table: RateTable
  surcharges: readonly Surcharge[]
}

/** Reads a tariff from an open CSV or JSON file. Rejects with `RATE_TABLE_INVALID`, which names every fault. */
async function readTable(handle: FileHandle, file: string, defaults: RowDefaults): Promise<RateTable> {
  const faults: TableFault[] = []
  const fault = (one: TableFault) => void faults.push(one)
  const json = file.endsWith('.json') ? textOf(await handle.readFile()) : undefined
  const rows =
    json === undefined ? await readCsvTable(handle, defaults, fault) : readJson(json, defaults, fault)
  if (faults.length === 0 && rows.length === 0)
    fault({ line: 1, name: 'file', message: 'has no rows: write a header and one line for each rate' })
  const table = faults.length > 0 ? undefined : tableOf(rows)
  if (table) checkAppliesTo(table, fault)
  if (table && faults.length === 0) return table
  const name = basename(file)
  const placeOf = (line: number) => `${name}${json === undefined ? ':' : ' row '}${line}`
  const named = faults.map(({ line, name: column, message }) => ({
    path: `${line === 0 ? name : placeOf(line)} ${column}`,
    message,
  }))
  throw fileInvalid('RATE_TABLE_INVALID', 'The tariff', file, named)
}

/** A surcharge for a method that the tariff does not have would never be charged. */
function checkAppliesTo({ rows, surcharges }: RateTable, fault: ReportFault): void {
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

async function readCsvTable(
  handle: FileHandle,
  defaults: RowDefaults,
  fault: ReportFault,
): Promise<TariffLine[]> {
  const rows: TariffLine[] = []
  const begin = (header: string[]) => {
    const read = rowReader(header, defaults, fault)
    return (cells: string[], line: number) => {
      const row = read?.(cells, line)
      if (row) rows.push(row)
    }
  }
  await readCsv(handle, begin, (line, message) => fault({ line, name: 'line', message }))
  return rows
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
  // A name that is no column is a fault of the first row that has it.
  const rowWith = (name: string) => Math.max(1, flat.findIndex((row) => name in row) + 1)
  let ofHeader = true
  const read = rowReader(header, defaults, (one) =>
    fault(ofHeader ? { ...one, line: rowWith(one.name) } : one),
  )
  ofHeader = false
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
