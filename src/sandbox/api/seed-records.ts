import { nearest } from '../../checked-options.ts'
import { seedsFrom } from '../seed-files.ts'
import { cartFault, type Seeds, seedUnusable } from '../seeds.ts'
import { notNumber, readField } from './fields.ts'
import { idOf } from './records.ts'
import { ofEveryRecord } from './resource-api.ts'
import { resourceRows } from './resources.ts'

type SeedRecord = Record<string, unknown>

/**
 * The seeds of a file or a folder, and those of code, which come before them. Throws `SEED_UNUSABLE`.
 */
export function seedsOf({ seed, resources }: { seed?: string; resources?: Seeds }): Seeds {
  const given = { ...(seed && seedsFrom(seed)), ...resources }
  const fault = cartFault(given)
  return checkedSeeds(given, fault === undefined ? [] : [seed ? `${seed}: ${fault}` : fault])
}

/**
 * Records stay as they are: those of a live shop have words and forms of their own, and only their figures are reckoned with. Throws
 * `SEED_UNUSABLE` that names the record and the field of every fault, beside those found before: now for a list, and while it is used for
 * what only iterates.
 */
function checkedSeeds(seeds: Seeds, faults: string[]): Seeds {
  faults.push(...misspelt(seeds, resources).map((fault) => `${fault[0]} is not a resource: ${fault[1]}`))
  const result = Object.entries(seeds).map(([path, records]): [string, Seeds[string]] => {
    if (Array.isArray(records))
      return [path, [...checkedRecords(path, records, (all) => faults.push(...all))]]
    return [path, { [Symbol.iterator]: () => checkedRecords(path, records, refuse) }]
  })
  refuse(faults)
  return Object.fromEntries(result)
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

function* checkedRecords(
  path: string,
  records: Seeds[string],
  faulty: (faults: string[]) => void,
): IterableIterator<SeedRecord> {
  const fields = resourceRows.find((one) => one.path === path)?.fields ?? {}
  // The fields of the cart are those of `cartFault`.
  const known = path === 'cart' ? [] : Object.keys(fields)
  let number = 0
  for (const record of records) {
    const place = `${path}, record ${++number}`
    const figures = Object.entries(record).filter(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name]! : undefined
      if (field?.kind !== 'whole' && field?.kind !== 'decimal') return false
      const read = readField(field, value, () => true)
      return 'fault' in read && read.fault === notNumber
    })
    const all = [
      ...(isId(record.id) ? [] : ['id must be a whole number from 1']),
      ...misspelt(record, known).map(([name, meant]) => `${name} is not a field: ${meant}`),
      ...figures.map(([name]) => `${name} ${notNumber}`),
    ]
    if (all.length > 0) faulty(all.map((fault) => `${place}: ${fault}`))
    yield record
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
