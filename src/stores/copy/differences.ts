import { PurveyorError } from '../../errors.ts'
import type { CopiedColumn, CopiedTable, Side } from './side.ts'

/** A figure of a table that is not the same in both stores. */
export interface Difference {
  table: string
  /** `rows`, or the digest of a column or of whole rows. */
  figure: string
  source: string
  target: string
}

/** Compares every column of every row. The character NUL of columns in `cleaned` was left out of the target. */
export async function differences(
  from: Side,
  to: Side,
  table: CopiedTable,
  cleaned: readonly string[],
): Promise<Difference[]> {
  const { name, columns, key } = table
  const digests = (of: readonly CopiedColumn[]) =>
    Promise.all([from, to].map((side) => side.digest(name, of, cleaned)))
  const [source, target] = await digests(columns)
  if (source!.rows !== target!.rows) {
    return [{ table: name, figure: 'rows', source: String(source!.rows), target: String(target!.rows) }]
  }
  if (source!.sum === target!.sum) return []
  // Each column with the key of its row: that also finds values that two rows have exchanged. Rows of other keys are named by these alone.
  const keys = columns.filter((column) => key.includes(column.name))
  const [one, other] = await digests(keys)
  const isOfKey = one!.sum !== other!.sum
  const found: Difference[] = []
  for (const column of isOfKey ? keys : columns) {
    const [source, target] = await digests(isOfKey ? [column] : [...keys, column])
    if (source!.sum === target!.sum) continue
    found.push({ table: name, figure: `${column.name}, digest`, source: source!.sum, target: target!.sum })
  }
  if (found.length > 0) return found
  // Without a key: each value is still there, in another row.
  return [{ table: name, figure: 'whole rows, digest', source: source!.sum, target: target!.sum }]
}

/** The error of a copy that is not equal to its source. */
export function unequal(found: readonly Difference[]): PurveyorError {
  const lines = found
    .slice(0, 20)
    .map(
      ({ table, figure, source, target }) =>
        `  - ${table}, ${figure}: ${source} in the source, ${target} in the target`,
    )
  return new PurveyorError(
    'COPY_UNEQUAL',
    ['The copy is not equal to its source, and no provider starts on either of them:', ...lines].join('\n'),
  )
}
