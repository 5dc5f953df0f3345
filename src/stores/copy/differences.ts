import { PurveyorError } from '../../errors.ts'
import type { CopiedTable, Side } from './side.ts'
import { sumsOf } from './table-rows.ts'

/** A figure of a table that is not the same in both stores. */
export interface Difference {
  table: string
  /** `rows`, or a column with what was counted of it. */
  figure: string
  source: string
  target: string
}

/** Compares a table by its rows and by every column: its values, and the sum of its numbers or of the bytes of its texts, except of those in `changed`. */
export async function differences(
  from: Side,
  to: Side,
  table: CopiedTable,
  changed: readonly string[],
): Promise<Difference[]> {
  const [source, target] = [await sumsOf(from, table, changed), await sumsOf(to, table, changed)]
  return Object.entries(source)
    .filter(([figure, value]) => target[figure] !== value)
    .map(([figure, value]) => ({
      table: table.name,
      figure,
      source: value,
      target: target[figure] ?? 'nothing',
    }))
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
