import { seedsFrom } from '../seed-files.ts'
import { checkCart, type Seeds, seedUnusable } from '../seeds.ts'
import type { Field } from './resources/fields.ts'
import { resourceRows } from './resources/index.ts'
import { readWritten } from './written.ts'

type SeedRecord = Record<string, unknown>

/**
 * The seeds of a file or a folder, and those of code, which come before them, in the form that the sandbox keeps. Throws `SEED_UNUSABLE`.
 */
export function seedsOf({ seed, resources }: { seed?: string; resources?: Seeds }): Seeds {
  const given = { ...(seed && seedsFrom(seed)), ...resources }
  try {
    checkCart(given)
  } catch (cause) {
    throw seedUnusable(`${seed}: ${(cause as Error).message}.`, cause)
  }
  return readSeeds(given)
}

/**
 * Seeds in the form that the sandbox keeps: relations as ids, countries as codes. Records of unknown resources stay as they are. Throws
 * `SEED_UNUSABLE` that names the record and the field: now for a list, and while it is used for what only iterates.
 */
function readSeeds(seeds: Seeds): Seeds {
  const read = ([path, records]: [string, Seeds[string]]): [string, Seeds[string]] => {
    const fields = resourceRows.find((one) => one.path === path)?.fields ?? {}
    const inForm = { [Symbol.iterator]: () => inOwnForm(path, fields, records) }
    return [path, Array.isArray(records) ? [...inForm] : inForm]
  }
  return Object.fromEntries(Object.entries(seeds).map(read))
}

function* inOwnForm(
  path: string,
  fields: Readonly<Record<string, Field>>,
  records: Seeds[string],
): IterableIterator<SeedRecord> {
  let number = 0
  for (const record of records) {
    const place = `${path}, record ${++number}`
    if (!isId(record.id)) throw seedUnusable(`${place}: id must be a whole number from 1.`)
    const { fields: read, faults } = readWritten(fields, record, { everything: true })
    const [fault] = Object.entries(faults)
    if (fault) throw seedUnusable(`${place}: ${fault.join(' ')}.`)
    yield read
  }
}

/** Saved tables may hold ids as text. Without one, the record gets the next. */
const isId = (id: unknown): boolean =>
  id === undefined || id === null || (/^\d{1,15}$/.test(String(id)) && Number(id) > 0)
