// `npm run torture -- --help` says what it takes.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { counted } from '../../src/printable.ts'
import { startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { carrierRules } from './carriers/rules.ts'
import { carrierBugs } from './carriers/seeded-bugs.ts'
import { simulateCarriers } from './carriers/simulation.ts'
import { checkEventStrings, checkLedgerStrings } from './event-strings.ts'
import { crossFaultyProviders } from './faulty-providers.ts'
import { runKills } from './kills.ts'
import { runLongTests } from './long-tests.ts'
import { runMoney } from './money/all.ts'
import { moneyBugs } from './money/seeded-bugs.ts'
import { type NeighbourKind, neighbours, runNeighbours } from './neighbours/all.ts'
import { neighbourBugs } from './neighbours/seeded-bugs.ts'
import { type OutageReport, runOutage } from './outage.ts'
import { torturePostgres } from './postgres.ts'
import { runPowerCuts } from './power-cuts.ts'
import { runRaces } from './races.ts'
import { runRemovals } from './removals.ts'
import { type BugReport, runNeighbourBugs, runSeededBugs } from './run-bugs.ts'
import { seededBugs } from './seeded-bugs.ts'
import type { SeedsReport } from './seeds.ts'
import { shrink } from './simulation.ts'
import { runStrangers } from './strangers/all.ts'
import { crowds, runCrowds } from './strangers/crowds.ts'
import { strangerBugs } from './strangers/seeded-bugs.ts'
import { watchSyncs } from './sync-order.ts'

const help = `npm run -s torture: what must survive, for as long as it takes. It continues where it stopped, for the same state of src.

  -- --quick            a small part of each
  -- --tests            every test in its long form; test files may follow
  -- --checker          every faulty provider against every case of the checker
  -- --bugs <words>     the seeded bugs with these words in their names, each in a copy of the source
  -- --store postgres   what has to hold on a server
  -- --removals <number>  shops are removed and added again beside all that is written for them, from --seed on
  -- --neighbours       what bad neighbours do to other shops; the name of one may follow
  -- --crowds           thousands of connections for one address beside other shops, on both engines; names of crowds may follow
  -- --schedules, --kills, --images, --races, --inputs, --payments, --interleavings, --connections, --seconds <number>
                        another size of a part

A run fails if a seeded bug survives: a search went blind, or the bug changes nothing any more. The last lines name it.

The last line is one JSON object.`
if (process.argv.includes('--help')) {
  console.log(help)
  process.exit()
}

const run = promisify(execFile)
const quick = process.argv.includes('--quick')
const targets = quick
  ? {
      schedules: 300,
      kills: 5,
      images: 200,
      races: 300,
      owed: 5_000,
      hours: 8,
      bugSchedules: 1_500,
      faulty: 4,
      postgres: {
        schedules: 100,
        races: 500,
        kills: 4,
        payments: 250,
        commits: 60,
        interleavings: 5_000,
        up: [1_000, 3_000] as const,
      },
      strangers: {
        inputs: 2_000,
        sockets: 500,
        tokens: 1_000,
        tabs: 5,
        slow: 50,
        floodRounds: 1,
        unread: 60,
        idle: 600,
        openFiles: 600,
        guesses: 2_000,
      },
    }
  : {
      schedules: number('--schedules', 100_000),
      kills: number('--kills', 1_000),
      images: number('--images', 10_000),
      races: number('--races', 5_000),
      owed: 100_000,
      hours: 72,
      bugSchedules: 3_000,
      faulty: 1_000,
      postgres: {
        schedules: number('--schedules', 5_000),
        races: number('--races', 50_000),
        kills: number('--kills', 100),
        payments: number('--payments', 5_000),
        commits: 500,
        interleavings: number('--interleavings', 1_000_000),
        up: [5_000, 20_000] as const,
      },
      strangers: {
        inputs: number('--inputs', 2_000_000),
        sockets: 100_000,
        tokens: 100_000,
        tabs: 200,
        slow: 1_000,
        floodRounds: 10,
        unread: 600,
        idle: 10_000,
        guesses: 20_000,
      },
    }
const batch = quick ? 250 : 1_000
const stateFile = new URL('../../data/torture.json', import.meta.url)

interface Progress {
  schedules: number
  simulated_kills: number
  kills: number
  images: number
  races: number
  lost: number
  invented: number
  double_sessions: number
  violations: string[]
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
/** The state of `src` that the counts are for; uncommitted changes count only in themselves. */
const state = `${git('rev-parse', 'HEAD:src')}${git('status', '--porcelain', 'src') && '-changed'}`
const nothingYet: Progress = {
  schedules: 0,
  simulated_kills: 0,
  kills: 0,
  images: 0,
  races: 0,
  lost: 0,
  invented: 0,
  double_sessions: 0,
  violations: [],
}
const done = quick ? nothingYet : readProgress()

if (process.argv.includes('--removals')) {
  const removals = number('--removals', 20_000)
  const first = number('--seed', 1)
  const onServer = process.argv[process.argv.indexOf('--store') + 1] === 'postgres'
  const server = onServer ? await startPostgres() : undefined
  const report = await runRemovals(removals, first, await server?.database())
  await server?.remove()
  printResult({ torture: 'removals', store: server ? 'postgres' : 'sqlite', ...report })
  process.exit(report.violations.length === 0 ? 0 : 1)
}

if (process.argv[process.argv.indexOf('--store') + 1] === 'postgres') {
  const { failed, ...postgres } = await torturePostgres(targets.postgres)
  printResult({ torture: quick ? 'quick' : 'long', store: 'postgres', ...postgres })
  process.exit(failed === 0 ? 0 : 1)
}

if (process.argv.includes('--tests')) {
  const files = process.argv.slice(2).filter((word) => word !== '--tests')
  const counts = await runLongTests(files)
  printResult({ torture: 'tests', ...counts })
  process.exit(counts.failed === 0 ? 0 : 1)
}

if (process.argv.includes('--checker')) {
  printResult({ torture: 'checker', checker: await crossChecker() })
  process.exit()
}

if (process.argv.includes('--bugs')) {
  const named = process.argv[process.argv.indexOf('--bugs') + 1]
  const bugs = await runSeededBugs(targets.bugSchedules, availableParallelism(), named)
  const survivors = survivorsOf(bugs)
  printResult({ torture: 'bugs', bugs: bugs.length, survivors })
  process.exit(survivors.length === 0 && bugs.length > 0 ? 0 : 1)
}

if (process.argv.includes('--crowds')) {
  const size = {
    connections: number('--connections', quick ? 200 : 2_000),
    seconds: number('--seconds', quick ? 3 : 20),
  }
  const reports = await runCrowds(
    size,
    crowds.filter((one) => process.argv.includes(one)),
  )
  const violations = reports.flatMap((report) => report.violations)
  for (const violation of violations) console.log(violation)
  printResult({ torture: 'crowds', crowds: reports, violations: violations.length })
  process.exit(violations.length === 0 ? 0 : 1)
}

if (process.argv.includes('--neighbours')) {
  const { violations, survivors, ...found } = await watchNeighbours()
  for (const violation of violations) console.log(violation)
  printResult({ torture: quick ? 'quick' : 'long', ...found, violations: violations.length, survivors })
  process.exit(violations.length + survivors.length === 0 ? 0 : 1)
}

// Alone where it is measured; the quick form only looks for what is let in.
const strangersBeside = quick ? letStrangersIn(1) : undefined

const strings = checkEventStrings(7)
const ledgers = checkLedgerStrings(quick ? 5 : 7)
strings.strings += ledgers.strings
strings.violations.push(...ledgers.violations)
violated(strings.violations)
console.log(`${strings.strings} strings of events, ${strings.violations.length} violations`)

const money = await runMoney()
violated(money.violations)
console.log(`${money.tries} tries of rules about money, ${money.violations.length} violations`)

const carriers = await simulateCarriers(1, quick ? 1_500 : 10_000, quick ? 30 : 200)
violated(carriers.violations)
for (const rule of Object.values(carrierRules)) violated((await rule()).violations)
console.log(
  `${carriers.sessions} sessions of ${carriers.shops} shops with a carrier in trouble, p99 ${carriers.p99_ms} ms, ${carriers.violations.length} violations`,
)

await simulateAll()
console.log(
  `${done.schedules} schedules with ${done.simulated_kills} kills, ${done.violations.length} violations`,
)

const outage: (OutageReport & { name: string })[] = []
for (const owed of new Set([1, 4, 5_000, targets.owed])) {
  const report = await runOutage(owed, targets.hours)
  outage.push({ name: counted(owed, 'webhook'), ...report })
  done.lost += report.undelivered
  if (owed < 5 && report.minutes_to_deliver > 5)
    violated([`${owed} owed webhooks came ${report.minutes_to_deliver} min after the repair`])
  console.log(
    `${report.hours} h of outage with ${owed} owed webhooks: delivered within ${report.minutes_to_deliver} min of the repair, the other shop's within ${report.healthy_slowest_s} s`,
  )
}

while (done.images < targets.images) {
  const { images, lost, broken } = await runPowerCuts(
    Math.min(targets.images - done.images, 1_000),
    done.images + 1,
  )
  done.images += images
  done.lost += lost + broken
  keep()
}
console.log(`${done.images} images of a power cut`)

while (done.races < targets.races) {
  const { races, split } = await runRaces(Math.min(targets.races - done.races, 5_000))
  done.races += races
  done.double_sessions += split
  keep()
}
console.log(`${done.races} races of two processes`)

const removed = await runRemovals(quick ? 100 : 2_000)
violated(removed.violations)
console.log(`${removed.removals} removals of shops, ${removed.violations.length} violations`)

while (done.kills < targets.kills) {
  const some = Math.min(targets.kills - done.kills, 100)
  const report = await runKills(some, done.kills + 1)
  done.kills += report.kills
  done.lost += report.lost
  done.invented += report.invented
  done.double_sessions += report.double_sessions
  keep()
}
console.log(`${done.kills} kills by SIGKILL`)

const syncs = await watchSyncs(quick ? 20 : 500)
done.lost += syncs?.too_early ?? 0
console.log(
  syncs
    ? `${syncs.answers} answers watched by strace, ${syncs.too_early} before their sync`
    : 'strace is not here: nobody watched the order of syncs and answers',
)

const survivors = survivorsOf(await runSeededBugs(targets.bugSchedules, availableParallelism()))

const { violations: letIn, ...strangers } = await (strangersBeside ?? letStrangersIn(availableParallelism()))
console.log(
  `${strangers.inputs.inputs} hostile inputs, ${strangers.sockets.sockets} sockets, ${strangers.tenants.pairs} tries at others' shops, ${strangers.addresses.urls} addresses, ${strangers.canaries.canaries} canaries: ${letIn.length} violations`,
)

const { violations: harmed, survivors: harmless, ...besideNeighbours } = await watchNeighbours()
violated(harmed)
survivors.push(...harmless)

const checker = await crossChecker()

const tests = quick ? undefined : await runLongTests([])

const failing = new Set(done.violations.map((violation) => Number(/^seed (\d+):/.exec(violation)?.[1])))
for (const seed of [...failing].filter((one) => one > 0).slice(0, 3)) {
  const { without, violations } = await shrink(seed)
  console.log(`seed ${seed} fails without ${without.join(', ') || 'nothing left out'} too: ${violations[0]}`)
}
for (const name of survivors) console.log(`NOT CAUGHT: ${name}`)
printResult({
  torture: quick ? 'quick' : 'long',
  seeds: `1-${done.schedules}`,
  schedules: done.schedules,
  simulated_kills: done.simulated_kills,
  strings: strings.strings,
  money: money.tries,
  carriers: { ...carriers, violations: carriers.violations.length },
  kills: done.kills,
  images: done.images,
  races: done.races,
  removals: removed.removals,
  synced_answers: syncs?.answers,
  outage,
  strangers,
  neighbours: besideNeighbours.neighbours,
  checker,
  tests,
  lost: done.lost,
  invented: done.invented,
  double_sessions: done.double_sessions,
  violations: done.violations.length,
  bugs:
    seededBugs.length + moneyBugs.length + strangerBugs.length + neighbourBugs.length + carrierBugs.length,
  survivors,
})
const failed =
  done.violations.length +
  done.lost +
  done.invented +
  done.double_sessions +
  survivors.length +
  (tests?.failed ?? 0)
if (failed > 0) process.exitCode = 1

/** Says at once what a long run would say at its end. */
function violated(found: readonly string[]): void {
  for (const one of found) console.log(`VIOLATION: ${one}`)
  done.violations.push(...found)
}

async function letStrangersIn(atOnce: number) {
  const report = await runStrangers(targets.strangers, atOnce)
  violated(report.violations)
  return report
}

/** Every faulty provider against every case of the checker. Who is missed, or complained of wrongly, fails. */
async function crossChecker() {
  const { rows, missed, ...counts } = await crossFaultyProviders(targets.faulty, availableParallelism() + 1)
  for (const row of rows) console.log(`caught: ${row}`)
  for (const row of missed) console.log(`NOT CAUGHT: ${row}`)
  if (missed.length + counts.false_alarms > 0) process.exitCode = 1
  return counts
}

/** Prints each bug with what caught it. Returns those that nothing caught. */
function survivorsOf(bugs: readonly BugReport[]): string[] {
  for (const { name, caught } of bugs)
    console.log(caught ? `caught: ${name} (${caught})` : `NOT CAUGHT: ${name}`)
  return bugs.filter(({ caught }) => !caught).map(({ name }) => name)
}

/** Each kind of bad neighbour, or the one that is named, and the bugs that must let it harm others. */
async function watchNeighbours() {
  const named = Object.keys(neighbours).filter((kind) => process.argv.includes(kind)) as NeighbourKind[]
  const reports = await runNeighbours(quick ? 'short' : 'long', named.length > 0 ? named : undefined)
  for (const { name, others, healed_within_s } of reports)
    console.log(
      `${name}: ${others.calls} calls of others, ${others.failed} failed, ${others.late} late, p99 ${others.p99_ms} ms (before ${others.p99_before_ms} ms), well again after ${healed_within_s} s`,
    )
  const bugs = await runNeighbourBugs(named)
  return {
    neighbours: reports.map(({ violations, ...report }) => report),
    violations: reports.flatMap(({ violations }) => violations),
    bugs: bugs.length,
    survivors: survivorsOf(bugs),
  }
}

async function simulateAll(): Promise<void> {
  let next = done.schedules + 1
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (next <= targets.schedules) {
        const from = next
        next += batch
        const to = Math.min(from + batch - 1, targets.schedules)
        const seeds = new URL('./seeds.ts', import.meta.url).pathname
        const { stdout } = await run(process.execPath, [seeds, String(from), String(to)], { maxBuffer: 1e8 })
        count(JSON.parse(stdout) as SeedsReport)
        keep()
      }
    }),
  )
}

function count({ schedules, kills, violations }: SeedsReport): void {
  done.schedules += schedules
  done.simulated_kills += kills
  for (const { seed, said } of violations) {
    for (const one of said) {
      violated([`seed ${seed}: ${one}`])
      if (/I[1578] /.test(one)) done.lost++
      else if (/I6 /.test(one)) done.double_sessions++
      else done.invented++
    }
  }
}

function number(option: string, otherwise: number): number {
  const at = process.argv.indexOf(option)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

function readProgress(): Progress {
  try {
    const kept = JSON.parse(readFileSync(stateFile, 'utf8')) as Record<string, Progress>
    return { ...nothingYet, ...kept[state] }
  } catch {
    return nothingYet
  }
}

function keep(): void {
  if (quick) return
  mkdirSync(new URL('.', stateFile), { recursive: true })
  writeFileSync(stateFile, JSON.stringify({ [state]: done }))
}
