import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { type PostgresServer, startPostgres } from '../postgres.ts'
import type { InterleavingsReport } from './interleavings.ts'
import { runKills } from './kills.ts'
import { runRaces } from './races.ts'
import { runRemovals } from './removals.ts'
import { runLostCommits, runRestarts } from './restarts.ts'
import { runPostgresBugs } from './run-bugs.ts'
import type { SeedsReport } from './seeds.ts'

const run = promisify(execFile)

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
  const { schedules, races, kills, payments, commits, up } = targets
  const server = await startPostgres()
  try {
    const simulated = await simulateOn(server, schedules)
    console.log(
      `${simulated.schedules} schedules with ${simulated.kills} kills, ${simulated.violations.length} violations`,
    )
    for (const { seed, said } of simulated.violations) console.log(`seed ${seed}: ${said.join('; ')}`)
    const beside = await interleave(targets.interleavings)
    console.log(`${beside.interleavings} interleavings of two nodes, ${beside.violations.length} violations`)
    for (const violation of beside.violations) console.log(violation)
    const raced = await runRaces(races, await server.database())
    console.log(`${raced.races} races of two processes, ${raced.split} split`)
    const removed = await runRemovals(Math.ceil(races / 25), 1, await server.database())
    console.log(`${removed.removals} removals of shops, ${removed.violations.length} violations`)
    for (const violation of removed.violations) console.log(violation)
    const lost = await runLostCommits(commits, server)
    console.log(
      `${lost.lost} commits or their answers lost, ${lost.repeated} carried out twice or not at all`,
    )
    const killed = await runKills(kills, 1, await server.database())
    console.log(`${killed.kills} kills by SIGKILL, ${killed.lost} lost, ${killed.invented} invented`)
    const restarted = await runRestarts(payments, server, 1, up)
    console.log(
      `${restarted.payments} payments while the server stopped ${restarted.stops} times, ${restarted.wrong} wrong`,
    )
    const feed = await lookForFeed()
    console.log(feed ?? 'the feed of changes has every movement of two nodes')
    const bugs = await runPostgresBugs(availableParallelism())
    for (const { name, caught } of bugs)
      console.log(caught ? `caught: ${name} (${caught})` : `NOT CAUGHT: ${name}`)
    const survivors = bugs.filter(({ caught }) => !caught).map(({ name }) => name)
    const failed =
      survivors.length +
      (feed === undefined ? 0 : 1) +
      simulated.violations.length +
      beside.violations.length +
      raced.split +
      removed.violations.length +
      lost.repeated +
      killed.lost +
      killed.invented +
      killed.double_sessions +
      restarted.wrong
    const { violations, ...counts } = simulated
    return {
      simulated: { ...counts, violations: violations.length },
      interleavings: beside.interleavings,
      races: raced,
      removals: removed.removals,
      bugs: bugs.length,
      survivors,
      cut_commits: { cut: lost.lost, repeated: lost.repeated },
      kills: killed,
      restarts: restarted,
      failed,
    }
  } finally {
    await server.remove()
  }
}

/** In as many processes as there are cores. */
async function interleave(count: number): Promise<InterleavingsReport> {
  const processes = availableParallelism()
  const reports = await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const main = new URL('./interleavings.ts', import.meta.url).pathname
      const args = [main, String(Math.ceil(count / processes)), String(number + 1)]
      const { stdout } = await run(process.execPath, args, { maxBuffer: 1e8 })
      return JSON.parse(stdout) as InterleavingsReport
    }),
  )
  return {
    interleavings: reports.reduce((sum, { interleavings }) => sum + interleavings, 0),
    violations: reports.flatMap(({ violations }) => violations),
  }
}

/** What a program that follows the feed of changes misses. */
async function lookForFeed(): Promise<string | undefined> {
  const look = new URL('./look-on-postgres.ts', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [look, 'feed'])
  return (JSON.parse(stdout) as { found?: string }).found
}

/** Schedules in virtual time, in as many processes as there are cores, each on a database of its own. */
async function simulateOn(server: PostgresServer, schedules: number): Promise<SeedsReport> {
  const all: SeedsReport = { schedules: 0, kills: 0, violations: [] }
  const processes = availableParallelism()
  const each = Math.ceil(schedules / processes)
  await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const [from, to] = [number * each + 1, Math.min((number + 1) * each, schedules)]
      const seeds = new URL('./seeds.ts', import.meta.url).pathname
      const args = [seeds, String(from), String(to), '20', await server.database()]
      const { stdout } = await run(process.execPath, args, { maxBuffer: 1e8 })
      const report = JSON.parse(stdout) as SeedsReport
      all.schedules += report.schedules
      all.kills += report.kills
      all.violations.push(...report.violations)
    }),
  )
  return all
}
