import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { startPostgres } from '../postgres.ts'
import { type Found, joined } from './found.ts'
import { runKills } from './kills.ts'
import { runRaces } from './races.ts'
import { runRemovals } from './removals.ts'
import { runLostCommits, runRestarts } from './restarts.ts'
import { runPostgresBugs, survivorsOf } from './run-bugs.ts'
import type { SeedsReport } from './seeds.ts'

const processes = availableParallelism()

export interface PostgresTargets {
  schedules: number
  races: number
  kills: number
  payments: number
  commits: number
  /** Of the flights of two nodes, in a model of the rows that they hold. */
  interleavings: number
  /** How long the server is up between two stops, in milliseconds. */
  up: readonly [number, number]
}

/** Attacks on a PostgreSQL server: simulated schedules, races, kills, a server that stops and starts, lost answers to COMMIT. */
export async function torturePostgres(targets: PostgresTargets) {
  const { races, commits, up } = targets
  await using server = await startPostgres()
  let failed = 0
  /** Says what a part found, and how much of it is wrong. */
  const say = (words: string, wrong: number, violations: readonly string[] = []) => {
    failed += wrong
    console.log(words)
    for (const violation of violations) console.log(violation)
  }
  const simulated = await simulateOn(() => server.database(), targets.schedules)
  const { schedules, kills, violations } = simulated
  const said = violations.map((one) => `seed ${one.seed}: ${one.said.join('; ')}`)
  say(`${schedules} schedules with ${kills} kills, ${violations.length} violations`, violations.length, said)
  const beside = await interleave(targets.interleavings)
  const wrong = beside.violations.length
  say(`${beside.tries} interleavings of two nodes, ${wrong} violations`, wrong, beside.violations)
  const raced = await runRaces(races, await server.database())
  say(`${raced.races} races of two processes, ${raced.split} split`, raced.split)
  const removed = await runRemovals(Math.ceil(races / 25), 1, await server.database())
  const left = removed.violations
  say(`${removed.removals} removals of shops, ${left.length} violations`, left.length, left)
  const { lost, repeated } = await runLostCommits(commits, server)
  say(`${lost} commits or their answers lost, ${repeated} carried out twice or not at all`, repeated)
  const killed = await runKills(targets.kills, 1, await server.database())
  say(
    `${killed.kills} kills by SIGKILL, ${killed.lost} lost, ${killed.invented} invented`,
    killed.lost + killed.invented + killed.double_sessions,
  )
  const restarts = await runRestarts(targets.payments, server, 1, up)
  say(
    `${restarts.payments} payments while the server stopped ${restarts.stops} times, ${restarts.wrong} wrong`,
    restarts.wrong,
  )
  const { found: feed } = (await run('look-on-postgres.ts', 'feed')) as { found?: string }
  say(feed ?? 'the feed of changes has every movement of two nodes', feed === undefined ? 0 : 1)
  const bugs = await runPostgresBugs(processes)
  const survivors = survivorsOf(bugs)
  failed += survivors.length
  return {
    simulated: { ...simulated, violations: violations.length },
    ...{ interleavings: beside.tries, races: raced, removals: removed.removals },
    ...{ bugs: bugs.length, survivors, cut_commits: { cut: lost, repeated } },
    ...{ kills: killed, restarts, failed },
  }
}

/** Runs a script of this folder, which prints one JSON object. */
async function run(script: string, ...args: string[]): Promise<unknown> {
  const file = new URL(script, import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { maxBuffer: 1e8 })
  return JSON.parse(stdout)
}

/** Does one part of the work in each of as many processes as there are cores. */
const inProcesses = <T>(work: (number: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: processes }, (_, number) => work(number) as Promise<T>))

async function interleave(count: number): Promise<Found> {
  const each = String(Math.ceil(count / processes))
  return joined(await inProcesses<Found>((number) => run('interleavings.ts', each, String(number + 1))))
}

/** Schedules in virtual time, each process on a database of its own. */
async function simulateOn(database: () => Promise<string>, schedules: number): Promise<SeedsReport> {
  const each = Math.ceil(schedules / processes)
  const reports = await inProcesses<SeedsReport>(async (number) => {
    const [from, to] = [number * each + 1, Math.min((number + 1) * each, schedules)]
    return run('seeds.ts', String(from), String(to), '20', await database())
  })
  const sum = (name: 'schedules' | 'kills') => reports.reduce((all, one) => all + one[name], 0)
  const violations = reports.flatMap((report) => report.violations)
  return { schedules: sum('schedules'), kills: sum('kills'), violations }
}
