import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RulesReport } from './carriers/rules.ts'
import { carrierBugs } from './carriers/seeded-bugs.ts'
import type { CarriersReport } from './carriers/simulation.ts'
import type { MoneyFindings } from './money/main.ts'
import { moneyBugs } from './money/seeded-bugs.ts'
import type { NeighbourKind } from './neighbours/all.ts'
import type { NeighbourReport } from './neighbours/report.ts'
import { neighbourBugs } from './neighbours/seeded-bugs.ts'
import { postgresBugs } from './postgres-bugs.ts'
import { declarationsOf, type SeededBug, sourcesWith } from './seed-bug.ts'
import { seededBugs } from './seeded-bugs.ts'
import type { SeedsReport } from './seeds.ts'
import type { StrangersReport } from './strangers/main.ts'
import { strangerBugs } from './strangers/seeded-bugs.ts'

const run = promisify(execFile)
const repository = new URL('../../', import.meta.url).pathname

export interface BugReport {
  name: string
  /** The test that caught it; not set for a survivor. */
  caught: string | undefined
}

/**
 * Puts each bug into a copy of the source and lets something look for it: the simulation in up to so many schedules, strangers, or a
 * rule about money. Of all bugs those whose name contains `named`;
 * without it all but those of the store on a server, which have a run of their own.
 */
export async function runSeededBugs(schedules: number, atOnce: number, named = ''): Promise<BugReport[]> {
  const all = [
    ...strangerBugs.map((bug) => [bug, byStrangers(bug.by)] as const),
    ...seededBugs.map((bug) => [bug, bySimulation(schedules)] as const),
    ...moneyBugs.map((bug) => [bug, byMoney(bug.by)] as const),
    ...carrierBugs.map((bug) => [bug, byCarriers(bug.by)] as const),
    ...(named === '' ? [] : postgresBugs.map((bug) => [bug, onPostgres(bug.by)] as const)),
  ]
  return runBugs(
    all.filter(([{ name }]) => name.includes(named)),
    atOnce,
  )
}

/** The same with the bugs of the store on a server. */
export const runPostgresBugs = (atOnce: number): Promise<BugReport[]> =>
  runBugs(
    postgresBugs.map((bug) => [bug, onPostgres(bug.by)] as const),
    atOnce,
  )

/** The same with the bugs that let these bad neighbours harm others, or all. One at a time, for they are found by what others wait. */
export const runNeighbourBugs = (kinds: readonly NeighbourKind[]): Promise<BugReport[]> =>
  runBugs(
    neighbourBugs
      .filter(({ by }) => kinds.length === 0 || kinds.includes(by))
      .map((bug) => [bug, byNeighbour(bug.by)] as const),
    1,
  )

async function runBugs(waiting: (readonly [SeededBug, Search])[], atOnce: number): Promise<BugReport[]> {
  const reports: BugReport[] = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const folder = copySource()
      try {
        for (let next = waiting.shift(); next; next = waiting.shift())
          reports.push(await runBug(folder, ...next))
      } finally {
        rmSync(folder, { recursive: true })
      }
    }),
  )
  return reports
}

/** One copy for many bugs: what is the same in each is compiled once. */
function copySource(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-bug-'))
  for (const part of ['src', 'test', 'package.json'])
    cpSync(join(repository, part), join(folder, part), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Looks for the bug in a copy of the source. Resolves with what was found. */
type Search = (folder: string) => Promise<string | undefined>

const runIn = async (folder: string, script: string, ...args: string[]): Promise<unknown> => {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const { stdout } = await run(process.execPath, [join(folder, 'test/torture', script), ...args], { env })
  return JSON.parse(stdout)
}

const bySimulation =
  (schedules: number): Search =>
  async (folder) => {
    const { violations } = (await runIn(folder, 'seeds.ts', '1', String(schedules), '1')) as SeedsReport
    return violations[0] && `seed ${violations[0].seed}: ${violations[0].said[0]}`
  }

const by =
  <R extends { violations: string[] }>(script: string) =>
  (attempt: string): Search =>
  async (folder) =>
    ((await runIn(folder, script, attempt)) as R).violations[0]

const byStrangers = by<StrangersReport>('strangers/main.ts')
const byMoney = by<MoneyFindings>('money/main.ts')
const byCarriers = by<CarriersReport | RulesReport>('carriers/main.ts')
const byNeighbour = by<NeighbourReport>('neighbours/main.ts')

const onPostgres =
  (search: string): Search =>
  async (folder) =>
    ((await runIn(folder, 'look-on-postgres.ts', search)) as { found?: string }).found

async function runBug(folder: string, bug: SeededBug, search: Search): Promise<BugReport> {
  const src = join(folder, 'src')
  const changed = sourcesWith(bug, src, declarationsOf(src))
  const sound = [...changed.keys()].map((file) => [file, readFileSync(join(src, file), 'utf8')] as const)
  for (const [file, source] of changed) writeFileSync(join(src, file), source)
  try {
    return { name: bug.name, caught: await search(folder) }
  } finally {
    for (const [file, source] of sound) writeFileSync(join(src, file), source)
  }
}
