import { tableText } from '../docs/tables.ts'
import type { Result } from './page.ts'

interface Row {
  what: string
  bench: string
  figure(result: Result): string
}

const rows: readonly Row[] = [
  {
    what: 'CPU for one rates call, without your adapter',
    bench: 'http',
    figure: (result) => `${whole(result, 'us_per_request.purveyor')} µs`,
  },
  {
    what: 'the same in an Express app written by hand',
    bench: 'http',
    figure: (result) => `${whole(result, 'us_per_request.express')} µs`,
  },
  {
    what: 'payment starts on SQLite, on disk before the answer',
    bench: 'payments',
    figure: (result) => perSecond(result, 'per_second'),
  },
  {
    what: 'opening a store with many payments: 1,000,000, or 100,000 with `--quick`',
    bench: 'payments',
    figure: (result) => `${whole(result, 'sqlite.ready_ms')} ms`,
  },
  { what: 'webhooks to 100 shops', bench: 'webhooks', figure: (result) => perSecond(result, 'per_second') },
  {
    what: 'the same while some shops hang',
    bench: 'webhooks',
    figure: (result) => perSecond(result, 'per_second_with_hanging'),
  },
  {
    what: 'calls to the carrier that the cache saves',
    bench: 'rates',
    figure: (result) => `${Math.round(numberAt(result, 'calls_saved') * 100)} %`,
  },
  {
    what: 'a quote from a tariff of 100,000 rows',
    bench: 'rates',
    figure: (result) => `${whole(result, 'table_us')} µs`,
  },
  {
    what: 'answers while one of eight adapters hangs, deadline 2,500 ms',
    bench: 'rates',
    figure: (result) => `${whole(result, 'p99_ms')} ms (p99)`,
  },
]

const head = ['what', 'figure', 'command', 'commit', 'measured on']

/** docs/capacity.md with the figures of these results. A row without one stays as it is. */
export function withFigures(page: string, results: readonly Result[]): string {
  const table = /^\| what [\s\S]*?\n(?=\n)/m
  const [old = ''] = table.exec(page) ?? []
  const before = new Map(
    old
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => {
        const cells = line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
        return [cells[0]!, cells]
      }),
  )
  const cells = rows.map(({ what, bench, figure }) => {
    const result = results.findLast((one) => one.bench === bench)
    if (!result) return before.get(what) ?? [what, '', '', '', '']
    const { command, commit, cores, node, date } = result
    return [what, figure(result), `\`${command}\``, `\`${commit}\``, `${cores} cores, Node ${node}, ${date}`]
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

const whole = (result: Result, path: string): string =>
  Math.round(numberAt(result, path)).toLocaleString('en')

/** The median with the lowest and the highest round. */
const perSecond = (result: Result, path: string): string =>
  `${whole(result, `${path}.median`)} per second (${whole(result, `${path}.lowest`)} - ${whole(result, `${path}.highest`)})`
