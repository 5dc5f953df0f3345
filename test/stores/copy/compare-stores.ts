import { hash } from 'node:crypto'
import type { Cell, Side } from '../../../src/stores/copy/side.ts'
import { copiedTables, readPage } from '../../../src/stores/copy/table-rows.ts'

/** The number of rows of each table and a hash of all their values, whatever their order: equal for equal stores. */
export async function contentOf(side: Side): Promise<Record<string, string>> {
  const content: Record<string, string> = {}
  for (const table of copiedTables(await side.tables())) {
    const places = table.columns.map(({ name }, place) => ({ name, place }))
    places.sort((one, other) => (one.name < other.name ? -1 : 1))
    const lines: string[] = []
    for (let after: Cell[] | undefined; ; ) {
      const { rows, last } = await readPage(side, table, after, 10_000)
      for (const row of rows) lines.push(JSON.stringify(places.map(({ place }) => row[place])))
      if (!last) break
      after = last
    }
    content[table.name] = `${lines.length} ${hash('sha256', lines.sort().join('\n'))}`
  }
  return content
}
