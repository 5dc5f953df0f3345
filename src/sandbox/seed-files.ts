import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { jsonIn } from '../contract/texts.ts'
import { PurveyorError } from '../errors/errors.ts'
import { fileFault } from '../file-fault.ts'
import { textOf } from '../rates/files/file-text.ts'
import { isObject } from './api/records.ts'
import { resourceRows } from './api/resources.ts'

/** Initial records of each resource, by its address. `cart` holds products with their quantity: `{ product: 101, quantity: 2 }`. */
export type Seeds = Record<string, Iterable<Record<string, unknown>>>

type SeedRecord = Record<string, unknown>

export const seedUnusable = (message: string, cause?: unknown): PurveyorError =>
  new PurveyorError('SEED_UNUSABLE', message, { cause })

/**
 * Reads the initial records of a shop from a file, or from all files of a folder. `products.json` has a list, or answers of a shop's API in
 * their envelopes; `products.ndjson` has a record on each line. A file with lines is read while it is used, so it may hold a million records.
 * Throws `SEED_UNUSABLE`, which names the file.
 */
export function seedsFrom(path: string): Seeds {
  const parts = new Map<string, Iterable<SeedRecord>[]>()
  const add = (resource: string, records: Iterable<SeedRecord>) =>
    parts.set(resource, [...(parts.get(resource) ?? []), records])
  const files = filesOf(path)
  for (const file of files) {
    if (/\.(ndjson|jsonl)$/.test(file))
      add(resourceNamed(nameOfFile(file)), { [Symbol.iterator]: () => linesOf(file) })
    else addJson(file, add)
  }
  if (parts.size === 0)
    throw seedUnusable(`${path} holds no records. It needs files such as products.json or customers.ndjson.`)
  return Object.fromEntries(
    [...parts].map(([resource, lists]) => [
      resource,
      lists.every(Array.isArray) ? lists.flat() : { [Symbol.iterator]: () => joined(lists) },
    ]),
  )
}

function* joined(lists: Iterable<SeedRecord>[]): IterableIterator<SeedRecord> {
  for (const list of lists) yield* list
}

const filesOf = (path: string): string[] =>
  reading(path, () => {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => /\.(json|ndjson|jsonl)$/.test(name))
    return names.sort().map((name) => join(path, name))
  })

/** Runs what reads a file, and names the file where it fails. */
function reading<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const isEncoded = code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    const fault = isEncoded ? 'is not UTF-8: save it as UTF-8' : fileFault(file, code)
    const remedy = 'Name a file with records, such as products.json, or a folder of such files.'
    throw seedUnusable(`${file} ${fault}. ${remedy}`, cause)
  }
}

/** `orders.customstatuses.json` is of the resource `orders/customstatuses`; `products-2.json` is a further page of `products`. */
const nameOfFile = (file: string): string => basename(file).replace(/(-\d+)?\.\w+$/, '')

/** The resource of an envelope or an address. */
function resourceNamed(name: string): string {
  const path = name.replaceAll('.', '/')
  const row =
    resourceRows().find((one) => one.path === path || one.path.replaceAll('/{id}', '') === path) ??
    resourceRows().find((one) => one.many === name || one.one === name)
  return row?.path ?? path
}

function addJson(file: string, add: (resource: string, records: Iterable<SeedRecord>) => void): void {
  const text = reading(file, () => textOf(readFileSync(file), true))
  const content = jsonIn(text)
  if (content === undefined) throw noSeed(file, text.trim() === '' ? 'empty' : 'not JSON')
  const fields = Array.isArray(content) ? { [nameOfFile(file)]: content } : checked(content, file)
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'count') continue
    const records = [value].flat().map((one) => checked(one, file))
    const twice = idTwice(records)
    if (twice !== undefined) throw seedUnusable(`${file} has the id ${twice.slice(0, 20)} twice.`)
    add(name === 'cart' ? name : resourceNamed(name), records)
  }
}

export function idTwice(records: readonly Record<string, unknown>[]): string | undefined {
  const ids = records.flatMap(({ id }) => (id === undefined || id === null ? [] : [String(id)]))
  return [...Map.groupBy(ids, (id) => id)].find(([, all]) => all.length > 1)?.[0]
}

function checked(value: unknown, file: string): SeedRecord {
  if (isObject(value)) return value
  throw noSeed(file, 'not a seed')
}

const noSeed = (file: string, is: string) =>
  seedUnusable(`${file} is ${is}. It needs a list of records, or an object such as { "products": [...] }.`)

/** The records of a file with one on each line, without holding them. */
function* linesOf(file: string): IterableIterator<SeedRecord> {
  const handle = reading(file, () => openSync(file, 'r'))
  try {
    const buffer = Buffer.alloc(1 << 16)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let rest = ''
    let number = 0
    for (;;) {
      const size = reading(file, () => readSync(handle, buffer))
      const text = rest + reading(file, () => decoder.decode(buffer.subarray(0, size), { stream: size > 0 }))
      const lines = text.split('\n')
      rest = size > 0 ? (lines.pop() ?? '') : ''
      for (const line of lines) {
        number++
        if (line.trim() === '') continue
        const record = jsonIn(line)
        if (typeof record !== 'object' || record === null)
          throw seedUnusable(`${file}:${number} is not a record.`)
        yield record as SeedRecord
      }
      if (size === 0) return
    }
  } finally {
    closeSync(handle)
  }
}
