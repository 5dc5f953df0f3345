import { tableText } from '../docs/tables.ts'
import type { Result } from './page.ts'

/** Each is a whole number of a result with its unit, unless it is a rate or a share. */
const rows: readonly (readonly [bench: string, what: string, path: string, unit: string])[] = [
  ['http', 'CPU for one rates call, without your adapter', 'us_per_request.purveyor', 'µs'],
  ['payments', 'payment starts on SQLite, on disk before the answer', 'per_second', 'per second'],
  ['webhooks', 'webhooks to 100 shops', 'per_second', 'per second'],
  ['rates', 'answers while one of eight adapters hangs, deadline 2,500 ms', 'p99_ms', 'ms (p99)'],
]

const head = ['what', 'figure', 'bench']

/** docs/capacity.md with the figures of these results. A row without one stays as it is. docs/results.md has command, commit and machine. */
export function withFigures(page: string, results: readonly Result[]): string {
  const table = /^\| what [\s\S]*?\n(?=\n)/m
  const [old = ''] = table.exec(page) ?? []
  const before = old
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const cells = rows.map(([bench, what, path, unit]) => {
    const result = results.findLast((one) => one.bench === bench)
    if (!result) return before.find(([, name]) => name === what)?.slice(1, -1) ?? [what, '', '']
    return [what, figureOf(result, path, unit), `\`${bench}\``]
  })
  return page.replace(table, () => `${tableText(head, cells)}\n`)
}

function numberAt(result: Result, path: string): number {
  const value = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], result)
  if (typeof value !== 'number') throw new Error(`the result of ${result.command} has no ${path}`)
  return value
}

/** Of a rate it is the median, with the lowest and the highest round. */
function figureOf(result: Result, path: string, unit: string): string {
  const whole = (at: string) => Math.round(numberAt(result, at)).toLocaleString('en')
  if (unit === '%') return `${Math.round(numberAt(result, path) * 100)} %`
  if (unit !== 'per second') return `${whole(path)} ${unit}`
  return `${whole(`${path}.median`)} per second (${whole(`${path}.lowest`)} - ${whole(`${path}.highest`)})`
}
