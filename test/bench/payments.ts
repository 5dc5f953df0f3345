import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { printResult, spread } from '../results/line.ts'
import { makeTables } from '../stores/sqlite-tables.ts'
import { temporaryFolder } from '../temporary.ts'
import { median, perSecond, printSpreads, rounded } from './measure.ts'
import { fill, type RawStore, rawStore } from './payments/raw.ts'
import { starter } from './payments/starter.ts'

// Durable payment starts per second at 32 concurrent callers: two commits each, one before the payment service is called and
// one with its answer. Beside it the same rows written by the bare driver, 32 starts to a commit and one write to a commit.

const callers = 32

export async function run(quick: boolean): Promise<void> {
  const starts = quick ? 640 : 6_400
  const rounds = quick ? 3 : 5
  const many = quick ? 100_000 : 1_000_000
  using folder = temporaryFolder()
  const ours = await opened(folder.at('ours.db'), 1_000)
  const large = await opened(folder.at('large.db'), many)
  for (const file of ['batched.db', 'each.db']) await makeTables(folder.at(file))
  const batched = rawStore(folder.at('batched.db'), callers)
  const each = rawStore(folder.at('each.db'), 1)
  const results = { purveyor: [], at_many: [], raw: [], commit_each: [] } as Record<string, number[]>
  const delays: number[] = []
  await ours.start(starts / 4, callers)
  await large.start(starts / 4, callers)
  for (let round = 0; round < rounds; round++) {
    // A new one each time: it would count its own pauses.
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    results.purveyor!.push(await perSecond(starts, () => ours.start(starts, callers)))
    delay.disable()
    delays.push(delay.percentile(99) / 1e6)
    results.at_many!.push(await perSecond(starts, () => large.start(starts, callers)))
    results.raw!.push(await perSecond(starts, () => writeAll(batched, starts)))
    results.commit_each!.push(await perSecond(starts / 8, () => writeAll(each, starts / 8)))
  }
  const ready = await timeToReopen(folder.at('large.db'))
  console.log(
    `${rounds} rounds of ${starts} payment starts, ${callers} callers, SQLite with synchronous=FULL, opened with ${many} payments:`,
  )
  printSpreads(results, 'per second')
  const of = (name: string) => median(results[name]!)
  printResult({
    bench: 'payments',
    per_second: spread(results.purveyor!),
    sqlite: {
      vs_raw: rounded(of('purveyor') / of('raw')),
      vs_commit_each: rounded(of('purveyor') / of('commit_each')),
      growth: rounded(of('purveyor') / of('at_many')),
      loop_delay_p99_ms: rounded(median(delays)),
      ready_ms: Math.round(ready),
    },
  })
  await Promise.all([ours.close(), large.close()])
}

async function opened(file: string, stored: number) {
  await makeTables(file)
  fill(file, stored)
  return starter(`sqlite:${file}`)
}

async function timeToReopen(file: string): Promise<number> {
  const since = performance.now()
  const store = sqliteStore({ file })
  await store.open()
  await store.check()
  const took = performance.now() - since
  await store.close()
  return took
}

function writeAll(raw: RawStore, starts: number): void {
  for (let done = 0; done < starts; done += raw.perCommit) raw.write()
}
