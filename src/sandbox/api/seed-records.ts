import { nearest } from '../../use-cases/checked-options.ts'
import { seedsFrom } from '../seed-files.ts'
import { checkCart, type Seeds, seedUnusable } from '../seeds.ts'
import { idOf } from './answers.ts'
import { resourceRows } from './resources/index.ts'
import type { Fields } from './resources/row.ts'
import { ofEveryRecord, readWritten } from './written.ts'

type SeedRecord = Record<string, unknown>

/**
 * The seeds of a file or a folder, and those of code, which come before them, in the form that the sandbox keeps. Throws `SEED_UNUSABLE`.
 */
export function seedsOf({ seed, resources }: { seed?: string; resources?: Seeds }): Seeds {
  const given = { ...(seed && seedsFrom(seed)), ...resources }
  const faults: string[] = []
  try {
    checkCart(given)
  } catch (cause) {
    faults.push(`${seed}: ${(cause as Error).message}`)
  }
  return readSeeds(given, faults)
}

/**
 * Seeds in the form that the sandbox keeps: relations as ids, countries as codes. Records of unknown resources stay as they are. Throws
 * `SEED_UNUSABLE` that names the record and the field of every fault, beside those found before: now for a list, and while it is used for
 * what only iterates.
 */
function readSeeds(seeds: Seeds, faults: string[]): Seeds {
  faults.push(...misspelt(seeds, resources).map((fault) => `${fault[0]} is not a resource: ${fault[1]}`))
  const read = ([path, records]: [string, Seeds[string]]): [string, Seeds[string]] => {
    const fields = resourceRows.find((one) => one.path === path)?.fields ?? {}
    // The fields of the cart are those of `checkCart`.
    const known = path === 'cart' ? [] : Object.keys(fields)
    const inForm = (faulty: (faults: string[]) => void) => inOwnForm({ path, fields, known, records, faulty })
    if (Array.isArray(records)) return [path, [...inForm((found) => faults.push(...found))]]
    return [path, { [Symbol.iterator]: () => inForm(refuse) }]
  }
  const result = Object.fromEntries(Object.entries(seeds).map(read))
  refuse(faults)
  return result
}

const resources = ['cart', ...resourceRows.map(({ path }) => path)]

const mostNamed = 10

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return
  const named = faults.slice(0, mostNamed).join('; ')
  const more = faults.length > mostNamed ? `; and ${faults.length - mostNamed} more` : ''
  throw seedUnusable(sentence(named + more))
}

const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

interface ReadingRecords {
  path: string
  fields: Fields
  /** The names of the fields. */
  known: readonly string[]
  records: Seeds[string]
  faulty: (faults: string[]) => void
}

function* inOwnForm({ path, fields, known, records, faulty }: ReadingRecords): IterableIterator<SeedRecord> {
  let number = 0
  for (const record of records) {
    const place = `${path}, record ${++number}`
    const { fields: read, faults } = readWritten(fields, record, { everything: true })
    const all = [
      ...(isId(record.id) ? [] : ['id must be a whole number from 1']),
      ...misspelt(record, known).map(([name, meant]) => `${name} is not a field: ${meant}`),
      ...Object.entries(faults).map((fault) => fault.join(' ')),
    ]
    if (all.length > 0) faulty(all.map((fault) => `${place}: ${fault}`))
    yield read
  }
}

/**
 * Names that are nearly a known one, which is not there too, each with what was meant. Other unknown names are those of a live shop, which
 * has more of them than the sandbox.
 */
function misspelt(given: object, known: readonly string[]): [string, string][] {
  const names = Object.keys(given).filter((name) => !known.includes(name) && !ofEveryRecord.includes(name))
  if (names.length === 0) return []
  const missing = known.filter((name) => !Object.hasOwn(given, name))
  return names.flatMap((name): [string, string][] => {
    const meant = nearest(name, missing, (one) =>
      lettersOf(one) === lettersOf(name) ? 2 : Math.max(1, one.length / 3),
    )
    return meant === undefined ? [] : [[name, `did you mean ${meant}?`]]
  })
}

/** Two letters that changed places are two differences, and one mistake. */
const lettersOf = (word: string): string => [...word.toLowerCase()].sort().join('')

/** Saved tables may hold ids as text. Without one, the record gets the next. */
const isId = (id: unknown): boolean => id === undefined || id === null || idOf(id) > 0
