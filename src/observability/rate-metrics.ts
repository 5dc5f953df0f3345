import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { AdapterFile } from '../adapters/adapter-files.ts'
import type { Parts } from '../parts.ts'
import { answerKinds } from '../rates/asking/rate-breakers.ts'
import { filesOf } from '../rates/asking/watch-files.ts'

/** Metrics of the rate adapters and of what is remembered of them. */
export function watchRates(workings: Parts<'rates'>, register: Registry): void {
  const { rates } = workings
  const registers = [register]
  const cached: Counter<'adapter' | 'answer'> = new Counter({
    registers,
    name: 'purveyor_rate_cache_total',
    help: 'Requests to rate adapters that cache, by outcome: hits, joined, misses, stale',
    labelNames: ['adapter', 'answer'],
    collect() {
      cached.reset()
      for (const [adapter, counts] of Object.entries(rates.memory.caching.counts())) {
        for (const [answer, count] of Object.entries(counts)) cached.inc({ adapter, answer }, count)
      }
    },
  })
  const open: Gauge<'adapter' | 'scope'> = new Gauge({
    registers,
    name: 'purveyor_rate_breakers_open',
    help: 'Rate adapters skipped after failures: 1 with scope all, the number of shops with scope shop; `purveyor lanes list --kind rates` says why',
    labelNames: ['adapter', 'scope'],
    collect() {
      open.reset()
      for (const { name: adapter } of rates.adapters)
        for (const scope of ['all', 'shop']) open.set({ adapter, scope }, 0)
      for (const { adapter, shop } of rates.memory.breakers.open())
        open.inc({ adapter, scope: shop === undefined ? 'all' : 'shop' })
    },
  })
  const answers: Counter<'adapter' | 'result'> = new Counter({
    registers,
    name: 'purveyor_rate_answers_total',
    help: 'Requests to rate adapters by result: methods, none, failed, skipped by the breaker, or fallback (the adapter failed, its fallback answered)',
    labelNames: ['adapter', 'result'],
    collect() {
      answers.reset()
      const counted = Object.entries(rates.memory.answers.counts())
      for (const result of answerKinds) {
        for (const { name: adapter } of rates.adapters) answers.inc({ adapter, result }, 0)
        for (const [adapter, counts] of counted) answers.inc({ adapter, result }, counts[result])
      }
    },
  })
  const countFiles = (name: string, help: string, count: (file: AdapterFile) => number) => {
    const files: Gauge<'adapter'> = new Gauge({
      ...{ registers, name, help, labelNames: ['adapter'] },
      collect() {
        files.reset()
        for (const file of filesOf(workings)) files.inc({ adapter: file.adapter }, count(file))
      },
    })
  }
  countFiles('purveyor_rate_files', 'Files of rate adapters in memory, such as tariffs', () => 1)
  countFiles('purveyor_rate_file_lines', 'Lines and points of these files', ({ size }) => size)
  const faults = 'Files whose last change cannot be used: `purveyor doctor` and the log name the line'
  countFiles('purveyor_rate_file_faults', faults, ({ fault }) => (fault ? 1 : 0))
}
