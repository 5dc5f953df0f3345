import { nearest } from '../../checked-options.ts'
import { seedsFrom } from '../seed-files.ts'
import { cartFault, type Seeds, seedUnusable } from '../seeds.ts'
import { notNumber, readField } from './fields.ts'
import { idOf } from './records.ts'
import { ofEveryRecord } from './resource-api.ts'
import { resourceRows } from './resources.ts'

/**
 * The seeds of a file or a folder, and those of code, which come before them. Records stay as they are: those of a live shop have words and
 * forms of their own, and only their figures are reckoned with. Throws `SEED_UNUSABLE` that names the record and the field of a fault: now for
 * a list, and while it is used for what only iterates.
 */
export function seedsOf({ seed, resources }: { seed?: string; resources?: Seeds }): Seeds {
  if (!seed && !resources) return {}
  const given = { ...(seed && seedsFrom(seed)), ...resources }
  const fault = cartFault(given)
  if (fault !== undefined) refuse([fault], seed === undefined || resources?.cart ? '' : `${seed}: `)
  refuse(misspelt(given, ['cart', ...resourceRows().map(({ path }) => path)], 'a resource'))
  return Object.fromEntries(
    Object.entries(given).map(([path, records]): [string, Seeds[string]] => {
      const checked = { [Symbol.iterator]: () => checkedRecords(path, records) }
      return [path, Array.isArray(records) ? [...checked] : checked]
    }),
  )
}

function refuse(faults: readonly string[], place = ''): void {
  if (faults.length === 0) return
  const said = `${place}${faults.join('; ')}`
  throw seedUnusable(said.endsWith('?') ? said : `${said}.`)
}

function* checkedRecords(path: string, records: Seeds[string]): IterableIterator<Record<string, unknown>> {
  const fields = resourceRows().find((one) => one.path === path)?.fields ?? {}
  let number = 0
  for (const record of records) {
    const figures = Object.entries(record).filter(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name]! : undefined
      if (field?.kind !== 'whole' && field?.kind !== 'decimal') return false
      const read = readField(field, value, () => true)
      return 'fault' in read && read.fault === notNumber
    })
    const all = [
      ...(isId(record.id) ? [] : ['id must be a whole number from 1']),
      ...misspelt(record, Object.keys(fields), 'a field'),
      ...figures.map(([name]) => `${name} ${notNumber}`),
    ]
    refuse(all, `${path}, record ${++number}: `)
    yield record
  }
}

/**
 * Names that are nearly a known one, which is not there too, each with what was meant. Other unknown names are those of a live shop, which
 * has more of them than the sandbox.
 */
function misspelt(given: object, known: readonly string[], kind: string): string[] {
  const names = Object.keys(given).filter((name) => !known.includes(name) && !ofEveryRecord.includes(name))
  const missing = known.filter((name) => !Object.hasOwn(given, name))
  return names.flatMap((name) => {
    const meant = nearest(name, missing, (one) => Math.max(1, one.length / 3))
    return meant === undefined ? [] : [`${name} is not ${kind}: did you mean ${meant}?`]
  })
}

/** Saved tables may hold ids as text. Without one, the record gets the next. */
const isId = (id: unknown): boolean => id === undefined || id === null || idOf(id) > 0
