import type { Seeds } from '../seeds.ts'
import { resourceRows } from './resources/index.ts'
import { readWritten } from './written.ts'

/** Seeds in the form that the sandbox keeps: relations as ids, countries as codes. Records of unknown resources stay as they are. */
export function readSeeds(seeds: Seeds): Seeds {
  const read = ([path, records]: [string, Seeds[string]]): [string, Seeds[string]] => {
    const row = resourceRows.find((one) => one.path === path)
    return [path, row ? { [Symbol.iterator]: () => inOwnForm(row.fields, records) } : records]
  }
  return Object.fromEntries(Object.entries(seeds).map(read))
}

function* inOwnForm(
  fields: (typeof resourceRows)[number]['fields'],
  records: Seeds[string],
): IterableIterator<Record<string, unknown>> {
  for (const record of records) yield readWritten(fields, record, { everything: true }).fields
}
