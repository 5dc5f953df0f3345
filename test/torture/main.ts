// `npm run torture -- --help` says what it takes.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs, promisify } from 'node:util'
import { counted } from '../../src/printable.ts'
import { startPostgres } from '../postgres.ts'
import { printResult } from '../results/line.ts'
import { runTests } from '../run-tests.ts'
import { together } from '../together.ts'
import { carrierBugs } from './carriers/seeded-bugs.ts'
import { simulateCarriers } from './carriers/simulation.ts'
import { checkEventStrings, checkLedgerStrings } from './event-strings.ts'
import { crossFaultyProviders } from './faulty-providers.ts'
import { joined } from './found.ts'
import { runKills } from './kills.ts'
import { type NeighbourKind, neighbours, runNeighbours } from './neighbours/all.ts'
import { neighbourBugs } from './neighbours/seeded-bugs.ts'
import { type OutageReport, runOutage } from './outage.ts'
import { torturePostgres } from './postgres.ts'
import { runPowerCuts } from './power-cuts.ts'
import { runRaces } from './races.ts'
import { runRemovals } from './removals.ts'
import { runNeighbourBugs, runSeededBugs, survivorsOf } from './run-bugs.ts'
import { seededBugs } from './seeded-bugs.ts'
import type { SeedsReport } from './seeds.ts'
import { shrink } from './simulation.ts'
import { runStrangers } from './strangers/all.ts'
import { crowds, runCrowds } from './strangers/crowds.ts'
import { strangerBugs } from './strangers/seeded-bugs.ts'
import { watchSyncs } from './sync-order.ts'
import { testedBugs } from './tested-bugs.ts'

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

const numbers = 'seed schedules kills images races inputs payments interleavings connections seconds'.split(
  ' ',
)
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    quick: { type: 'boolean', default: false },
    tests: { type: 'boolean' },
    checker: { type: 'boolean' },
    bugs: { type: 'string' },
    store: { type: 'string' },
    removals: { type: 'string' },
    neighbours: { type: 'boolean' },
    crowds: { type: 'boolean' },
    ...Object.fromEntries(numbers.map((name) => [name, { type: 'string' as const }])),
  },
})
if (options.help) {
  console.log(help)
  process.exit()
}
const { quick } = options
// Nothing else keeps this process while it waits for a provider, whose timers do not.
const alive = setInterval(() => {}, 1_000)
/** The size of a part in the quick form, or else the one that is asked for. */
const sizeOf = (ofQuick: number, otherwise: number, option = ''): number =>
  quick ? ofQuick : Number((options as Record<string, unknown>)[option] ?? otherwise)

const targets = {
  schedules: sizeOf(300, 100_000, 'schedules'),
  kills: sizeOf(5, 1_000, 'kills'),
  images: sizeOf(200, 10_000, 'images'),
  races: sizeOf(300, 5_000, 'races'),
  owed: sizeOf(5_000, 100_000),
  hours: sizeOf(8, 72),
  bugSchedules: sizeOf(1_500, 3_000),
  faulty: sizeOf(4, 1_000),
  postgres: {
    schedules: sizeOf(100, 5_000, 'schedules'),
    races: sizeOf(500, 50_000, 'races'),
    kills: sizeOf(4, 100, 'kills'),
    payments: sizeOf(250, 5_000, 'payments'),
    commits: sizeOf(60, 500),
    interleavings: sizeOf(5_000, 1_000_000, 'interleavings'),
    up: [sizeOf(1_000, 5_000), sizeOf(3_000, 20_000)] as const,
  },
  strangers: {
    inputs: sizeOf(2_000, 2_000_000, 'inputs'),
    sockets: sizeOf(500, 100_000),
    tokens: sizeOf(1_000, 100_000),
    tabs: sizeOf(5, 200),
    slow: sizeOf(50, 1_000),
    floodRounds: sizeOf(1, 10),
    unread: sizeOf(60, 600),
    idle: sizeOf(600, 10_000),
    openFiles: quick ? 600 : undefined,
    guesses: sizeOf(2_000, 20_000),
  },
}
const form = quick ? 'quick' : 'long'
const cores = availableParallelism()
const stateFile = new URL('../../data/torture.json', import.meta.url)

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
/** The state of `src` that the counts are for; uncommitted changes count only in themselves. */
const state = `${git('rev-parse', 'HEAD:src')}${git('status', '--porcelain', 'src') && '-changed'}`
const counts = { schedules: 0, simulated_kills: 0, kills: 0, images: 0, races: 0 }
const nothingYet = { ...counts, lost: 0, invented: 0, double_sessions: 0, violations: [] as string[] }
type Progress = typeof nothingYet
const done = quick ? nothingYet : readProgress()

/** Prints the result of one part, and ends as failed where it has to. */
function end(result: Record<string, unknown>, hasFailed = false): never {
  printResult(result)
  process.exit(hasFailed ? 1 : 0)
}

if (options.removals !== undefined) {
  const server = options.store === 'postgres' ? await startPostgres() : undefined
  const report = await runRemovals(Number(options.removals), sizeOf(1, 1, 'seed'), await server?.database())
  await server?.remove()
  end({ torture: 'removals', store: server ? 'postgres' : 'sqlite', ...report }, report.violations.length > 0)
}

if (options.store === 'postgres') {
  const { failed, ...postgres } = await torturePostgres(targets.postgres)
  end({ torture: form, store: 'postgres', ...postgres }, failed > 0)
}

if (options.tests) {
  const found = await runLongTests(positionals)
  end({ torture: 'tests', ...found }, found.failed > 0)
}

if (options.checker) {
  const checker = await crossChecker()
  end({ torture: 'checker', checker }, process.exitCode === 1)
}

if (options.bugs !== undefined) {
  const bugs = await runSeededBugs(targets.bugSchedules, cores, options.bugs)
  const survivors = survivorsOf(bugs)
  end({ torture: 'bugs', bugs: bugs.length, survivors }, survivors.length > 0 || bugs.length === 0)
}

if (options.crowds) {
  const size = {
    connections: sizeOf(200, 2_000, 'connections'),
    seconds: sizeOf(3, 20, 'seconds'),
  }
  const named = crowds.filter((one) => positionals.includes(one))
  const reports = await runCrowds(size, named)
  const violations = reports.flatMap((report) => report.violations)
  for (const violation of violations) console.log(violation)
  end({ torture: 'crowds', crowds: reports, violations: violations.length }, violations.length > 0)
}

if (options.neighbours) {
  const { violations, survivors, ...found } = await watchNeighbours()
  for (const violation of violations) console.log(violation)
  const failures = violations.length + survivors.length
  end({ torture: form, ...found, violations: violations.length, survivors }, failures > 0)
}

// Alone where it is measured; the quick form only looks for what is let in.
const strangersBeside = quick ? letStrangersIn(1) : undefined

const strings = joined([checkEventStrings(7), checkLedgerStrings(quick ? 5 : 7)])
violated(strings.violations)
console.log(`${strings.tries} strings of events, ${strings.violations.length} violations`)

const carriers = await simulateCarriers(1, quick ? 1_500 : 10_000, quick ? 30 : 200)
violated(carriers.violations)
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

/** Goes on with a part, in pieces of so many, until its size is reached. Each piece returns what it adds to the counts. */
async function upTo(
  part: 'images' | 'races' | 'kills',
  piece: number,
  run: (some: number, before: number) => Promise<Partial<Omit<Progress, 'violations'>>>,
): Promise<void> {
  while (done[part] < targets[part]) {
    const found = await run(Math.min(targets[part] - done[part], piece), done[part])
    for (const [name, count] of Object.entries(found)) done[name as 'lost'] += count
    keep()
  }
}

await upTo('images', 1_000, async (some, before) => {
  const { images, lost, broken } = await runPowerCuts(some, before + 1)
  return { images, lost: lost + broken }
})
console.log(`${done.images} images of a power cut`)

await upTo('races', 5_000, async (some) => {
  const { races, split } = await runRaces(some)
  return { races, double_sessions: split }
})
console.log(`${done.races} races of two processes`)

const removed = await runRemovals(quick ? 100 : 2_000)
violated(removed.violations)
console.log(`${removed.removals} removals of shops, ${removed.violations.length} violations`)

await upTo('kills', 100, async (some, before) => {
  const { kills, lost, invented, double_sessions } = await runKills(some, before + 1)
  return { kills, lost, invented, double_sessions }
})
console.log(`${done.kills} kills by SIGKILL`)

const syncs = await watchSyncs(quick ? 20 : 500)
done.lost += syncs?.too_early ?? 0
console.log(
  syncs
    ? `${syncs.answers} answers watched by strace, ${syncs.too_early} before their sync`
    : 'strace is not here: nobody watched the order of syncs and answers',
)

const survivors = survivorsOf(await runSeededBugs(targets.bugSchedules, cores))

const { violations: letIn, ...strangers } = await (strangersBeside ?? letStrangersIn(cores))
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
const { schedules, simulated_kills, kills, images, races, lost, invented, double_sessions } = done
printResult({
  ...{ torture: form, seeds: `1-${schedules}`, schedules, simulated_kills },
  strings: strings.tries,
  carriers: { ...carriers, violations: carriers.violations.length },
  ...{ kills, images, races, removals: removed.removals },
  synced_answers: syncs?.answers,
  ...{ outage, strangers, neighbours: besideNeighbours.neighbours, checker, tests },
  ...{ lost, invented, double_sessions, violations: done.violations.length },
  bugs: [seededBugs, testedBugs, strangerBugs, neighbourBugs, carrierBugs].flat().length,
  survivors,
})
const failed = done.violations.length + lost + invented + double_sessions + survivors.length
if (failed + (tests?.failed ?? 0) > 0) process.exitCode = 1
clearInterval(alive)

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
  const { rows, missed, ...counts } = await crossFaultyProviders(targets.faulty, cores + 1)
  for (const row of rows) console.log(`caught: ${row}`)
  for (const row of missed) console.log(`NOT CAUGHT: ${row}`)
  if (missed.length + counts.false_alarms > 0) process.exitCode = 1
  return counts
}

/** Each kind of bad neighbour, or the one that is named, and the bugs that must let it harm others. */
async function watchNeighbours() {
  const named = Object.keys(neighbours).filter((kind) => positionals.includes(kind)) as NeighbourKind[]
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
  const seeds = new URL('./seeds.ts', import.meta.url).pathname
  const batch = quick ? 250 : 1_000
  const left = Math.ceil((targets.schedules - done.schedules) / batch)
  const first = done.schedules + 1
  await together(cores, Array(Math.max(0, left)).keys(), async (number) => {
    const from = first + number * batch
    const to = Math.min(from + batch - 1, targets.schedules)
    const args = [seeds, String(from), String(to)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 })
    count(JSON.parse(stdout) as SeedsReport)
    keep()
  })
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

/** Runs the tests in their long form; `npm test` runs the short one. Without `files` all of them. */
async function runLongTests(files: readonly string[]): Promise<{ passed: number; failed: number }> {
  process.env.TEST_FORM = 'long'
  const { passed, failed } = await runTests(files)
  return { passed, failed: failed.length }
}
