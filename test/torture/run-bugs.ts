import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type SeededBug, seededBugs } from './seeded-bugs.ts'
import type { SeedsReport } from './seeds.ts'
import type { StrangersReport } from './strangers/main.ts'
import { strangerBugs } from './strangers/seeded-bugs.ts'

const run = promisify(execFile)
const repository = new URL('../../', import.meta.url).pathname

export interface BugReport {
  name: string
  /** What found it; not set for a survivor. */
  caught: string | undefined
}

/** Puts each bug into a copy of the source and lets the simulation look for it, in up to so many schedules. */
export async function runSeededBugs(schedules: number, atOnce: number): Promise<BugReport[]> {
  const reports: BugReport[] = []
  const simulated = (folder: string) => bySimulation(folder, schedules)
  const waiting = [
    ...seededBugs.map((bug) => [bug, simulated] as const),
    ...strangerBugs.map((bug) => [bug, byStrangers] as const),
  ]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) reports.push(await runBug(...next))
    }),
  )
  return reports
}

/** Looks for the bug in a copy of the source. Resolves with what was found. */
type Search = (folder: string) => Promise<string | undefined>

async function bySimulation(folder: string, schedules: number): Promise<string | undefined> {
  const seeds = join(folder, 'test/torture/seeds.ts')
  const { stdout } = await run(process.execPath, [seeds, '1', String(schedules), '1'])
  const [first] = (JSON.parse(stdout) as SeedsReport).violations
  return first && `seed ${first.seed}: ${first.said[0]}`
}

async function byStrangers(folder: string): Promise<string | undefined> {
  const { stdout } = await run(process.execPath, [join(folder, 'test/torture/strangers/main.ts')])
  return (JSON.parse(stdout) as StrangersReport).violations[0]
}

async function runBug(bug: SeededBug, search: Search): Promise<BugReport> {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-bug-'))
  try {
    for (const part of ['src', 'test/torture', 'test/http/messages.ts', 'package.json']) {
      cpSync(join(repository, part), join(folder, part), { recursive: true })
    }
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
    const file = join(folder, 'src', bug.file)
    let source = readFileSync(file, 'utf8')
    for (const [from, to] of bug.edits) {
      if (source.split(from).length !== 2) {
        throw new Error(`The bug "${bug.name}" no longer fits ${bug.file}: ${from}`)
      }
      source = source.replace(from, () => to)
    }
    writeFileSync(file, source)
    return { name: bug.name, caught: await search(folder) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
