import { type Command, holding, lastly, type Step } from '../../src/store/query.ts'

export const read = (name: string): Step => ({ sql: 'select', writes: false, values: [name] })
export const write = (name: string, value: number): Step => ({
  sql: 'update',
  writes: true,
  values: [name, value],
})

/** Adds one to each name, reading it first. Returns what they were. */
export function* count(names: readonly string[], hold = (name: string) => name): Command<number[]> {
  yield* holding(...names.map(hold))
  const rows = (yield { steps: names.map(read) }) as [number][]
  yield* lastly(...names.map((name, index) => write(name, rows[index]![0] + 1)))
  return rows.map(([value]) => value)
}
