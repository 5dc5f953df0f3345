import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Workshop } from '../mutants/workshop.ts'
import { together } from '../together.ts'
import { carrierBugs } from './carriers/seeded-bugs.ts'
import type { NeighbourKind } from './neighbours/all.ts'
import { neighbourBugs } from './neighbours/seeded-bugs.ts'
import { postgresBugs } from './postgres-bugs.ts'
import type { Searches } from './search.ts'
import { declarationsOf, type SeededBug, sourcesWith } from './seed-bug.ts'
import { seededBugs } from './seeded-bugs.ts'
import type { SeedsReport } from './seeds.ts'
import { strangerBugs } from './strangers/seeded-bugs.ts'
import { testedBugs } from './tested-bugs.ts'

const run = promisify(execFile)

export interface BugReport {
  name: string
  /** The test that caught it; not set for a survivor. */
  caught: string | undefined
}

/** Prints each bug with what caught it. Returns those that nothing caught. */
export function survivorsOf(bugs: readonly BugReport[]): string[] {
  for (const { name, caught } of bugs)
    console.log(caught ? `caught: ${name} (${caught})` : `NOT CAUGHT: ${name}`)
  return bugs.filter(({ caught }) => !caught).map(({ name }) => name)
}

/**
 * Puts each bug into a copy of the source and lets something look for it: the simulation in up to so many schedules, strangers, or the
 * tests. Of all bugs those whose name contains `named`;
 * without it all but those of the store on a server, which have a run of their own.
 */
export async function runSeededBugs(schedules: number, atOnce: number, named = ''): Promise<BugReport[]> {
  const all = [
    ...strangerBugs.map((bug) => [bug, by('strangers', bug.by)] as const),
    ...seededBugs.map((bug) => [bug, bySimulation(schedules)] as const),
    ...carrierBugs.map((bug) => [bug, by('carriers', 'short')] as const),
    ...testedBugs.map((bug) => [bug, byTest(bug.by)] as const),
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
export function runNeighbourBugs(kinds: readonly NeighbourKind[]): Promise<BugReport[]> {
  const bugs = neighbourBugs.filter((bug) => kinds.length === 0 || kinds.includes(bug.by))
  return runBugs(
    bugs.map((bug) => [bug, by('neighbours', bug.by)] as const),
    1,
  )
}

/** One copy of the source is for many bugs: what is the same in each is compiled once. */
async function runBugs(bugs: (readonly [SeededBug, Search])[], atOnce: number): Promise<BugReport[]> {
  const free = Array.from({ length: atOnce }, () => new Workshop('run'))
  const reports: BugReport[] = []
  try {
    await together(atOnce, bugs, async ([bug, search]) => {
      const workshop = free.pop()!
      reports.push({ name: bug.name, caught: await runBug(workshop, bug, search) })
      free.push(workshop)
    })
  } finally {
    for (const workshop of free) workshop.close()
  }
  return reports
}

function runBug(workshop: Workshop, bug: SeededBug, search: Search): Promise<string | undefined> {
  const src = join(workshop.path, 'src')
  const changed = [...sourcesWith(bug, src, declarationsOf(src))]
  const files = changed.map(([file, source]) => [join('src', file), source] as const)
  return workshop.with(new Map(files), () => search(workshop))
}

/** Looks for the bug in a copy of the source. Resolves with what was found. */
type Search = (workshop: Workshop) => Promise<string | undefined>

const runIn = async ({ path: folder }: Workshop, script: string, ...args: string[]): Promise<unknown> => {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const { stdout } = await run(process.execPath, [join(folder, 'test/torture', script), ...args], { env })
  return JSON.parse(stdout)
}

const bySimulation =
  (schedules: number): Search =>
  async (workshop) => {
    const { violations } = (await runIn(workshop, 'seeds.ts', '1', String(schedules), '1')) as SeedsReport
    return violations[0] && `seed ${violations[0].seed}: ${violations[0].said[0]}`
  }

const by =
  <Kind extends keyof Searches>(kind: Kind, name: Searches[Kind]): Search =>
  async (workshop) =>
    ((await runIn(workshop, 'search.ts', kind, name)) as { violations: string[] }).violations[0]

const onPostgres =
  (search: string): Search =>
  async (workshop) =>
    ((await runIn(workshop, 'look-on-postgres.ts', search)) as { found?: string }).found

/** In milliseconds: many times what the longest of these test files takes. */
const patience = 300_000

/** A test file by its path in `test`, without what all of them end with. */
const byTest =
  (name: string): Search =>
  async (workshop) =>
    (await workshop.run(`test/${name}.test.ts`, patience)).failed
