import { Counter, type Registry } from '@prometheus-io/client'
import type { AdapterFile } from '../adapters/adapter-files.ts'
import type { Parts } from '../parts.ts'
import { answerKinds } from '../rates/asking/rate-memory.ts'
import { filesOf } from '../rates/asking/watch-files.ts'
import { collecting } from './collected.ts'

export function watchRates(workings: Parts<'rates'>, registers: Registry[]): void {
  const { adapters, memory } = workings.rates
  const gauge = collecting(registers, 'sum')
  const counter = collecting(registers, 'sum', Counter)
  counter(
    'purveyor_rate_cache_total',
    'Requests to rate adapters that cache, by outcome: hits, joined, misses, stale',
    ['adapter', 'answer'],
    () =>
      Object.entries(memory.caching.counts()).flatMap(([adapter, counts]) =>
        Object.entries(counts).map(([answer, count]) => [{ adapter, answer }, count] as const),
      ),
  )
  gauge(
    'purveyor_rate_breakers_open',
    'Rate adapters skipped after failures: 1 with scope all, the number of shops with scope shop; `purveyor lanes list --kind rates` says why',
    ['adapter', 'scope'],
    () => [
      ...adapters.flatMap(({ name: adapter }) =>
        ['all', 'shop'].map((scope) => [{ adapter, scope }, 0] as const),
      ),
      ...memory.breakers
        .open()
        .map(({ adapter, shop }) => [{ adapter, scope: shop === undefined ? 'all' : 'shop' }, 1] as const),
    ],
  )
  counter(
    'purveyor_rate_answers_total',
    'Requests to rate adapters by result: methods, none, failed, skipped by the breaker, or fallback (the adapter failed, its fallback answered)',
    ['adapter', 'result'],
    () => {
      const counts = memory.answers.counts()
      const named = [...adapters.map(({ name }) => name), ...Object.keys(counts)]
      return [...new Set(named)].flatMap((adapter) =>
        answerKinds.map((result) => [{ adapter, result }, counts[adapter]?.[result] ?? 0] as const),
      )
    },
  )
  const countFiles = (name: string, help: string, count: (file: AdapterFile) => number) =>
    gauge(name, help, ['adapter'], () =>
      filesOf(workings).map((file) => [{ adapter: file.adapter }, count(file)] as const),
    )
  countFiles('purveyor_rate_files', 'Files of rate adapters in memory, such as tariffs', () => 1)
  countFiles('purveyor_rate_file_lines', 'Lines and points of these files', ({ size }) => size)
  const faults = 'Files whose last change cannot be used: `purveyor doctor` and the log name the line'
  countFiles('purveyor_rate_file_faults', faults, ({ fault }) => (fault ? 1 : 0))
}
