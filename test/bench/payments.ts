import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { printResult, spread } from '../results/line.ts'
import { fill, type RawStore, rawStore } from './payments/raw.ts'
import { starter } from './payments/starter.ts'

// Durable payment starts per second at 32 concurrent callers: two commits each, one before the payment service is called and
// one with its answer. Beside it the same rows written by the bare driver, 32 starts to a commit and one write to a commit.

const callers = 32

export async function run(quick: boolean): Promise<void> {
  const starts = quick ? 640 : 6_400
  const rounds = quick ? 3 : 5
  const many = quick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-'))
  const file = (name: string) => join(folder, `${name}.db`)
  try {
    const ours = await opened(file('ours'), 1_000)
    const large = await opened(file('large'), many)
    const batched = rawStore(await emptied(file('batched')), callers)
    const each = rawStore(await emptied(file('each')), 1)
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
    const reopened = await reopen(file('large'))
    print(results, { starts, rounds, many, reopened, delay: median(delays) })
    await Promise.all([ours.close(), large.close()])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A file with the tables of the store. */
async function emptied(file: string): Promise<string> {
  const store = sqliteStore({ file })
  await store.open()
  await store.close()
  return file
}

async function opened(file: string, stored: number) {
  fill(await emptied(file), stored)
  return starter(`sqlite:${file}`)
}

async function reopen(file: string): Promise<number> {
  const since = performance.now()
  const store = sqliteStore({ file })
  await store.open()
  await store.check()
  const took = performance.now() - since
  await store.close()
  return took
}

async function perSecond(starts: number, work: () => Promise<void> | void): Promise<number> {
  const since = performance.now()
  await work()
  return (starts / (performance.now() - since)) * 1000
}

function writeAll(raw: RawStore, starts: number): void {
  for (let done = 0; done < starts; done += raw.perCommit) raw.write()
}

const median = (list: number[]) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]!
const round2 = (value: number) => Math.round(value * 100) / 100

function print(
  results: Record<string, number[]>,
  about: { starts: number; rounds: number; many: number; reopened: number; delay: number },
): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  console.log(
    `${about.rounds} rounds of ${about.starts} payment starts, ${callers} callers, SQLite with synchronous=FULL, Node ${process.versions.node}, ${availableParallelism()} cores, commit ${commit}`,
  )
  for (const [name, list] of Object.entries(results))
    console.log(
      `  ${name.padEnd(12)} ${Math.round(median(list)).toString().padStart(7)} per second   ${Math.round(Math.min(...list))} - ${Math.round(Math.max(...list))}`,
    )
  console.log(`  event loop delay p99 ${about.delay.toFixed(1)} ms`)
  console.log(`  opened with ${about.many} payments in ${about.reopened.toFixed(0)} ms`)
  const of = (name: string) => median(results[name]!)
  printResult({
    bench: 'payments',
    per_second: spread(results.purveyor!),
    sqlite: {
      vs_raw: round2(of('purveyor') / of('raw')),
      vs_commit_each: round2(of('purveyor') / of('commit_each')),
      growth: round2(of('purveyor') / of('at_many')),
      loop_delay_p99_ms: round2(about.delay),
      ready_ms: Math.round(about.reopened),
    },
  })
}
