import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RacesReport {
  races: number
  /** Orders for which the two processes gave different answers, or opened two attempts. */
  split: number
}

const together = 25

/** Two processes start the same payments on one store at the same moment: one attempt, one session, one answer. Default: SQLite. */
export async function runRaces(races: number, databaseUrl?: string): Promise<RacesReport> {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-races-'))
  const url = databaseUrl ?? `sqlite:${join(folder, 'races.db')}`
  const racers = []
  for (let racer = 0; racer < 2; racer++) {
    const child = fork(new URL('./racer.ts', import.meta.url), [url], { execArgv: [] })
    await once(child, 'message')
    racers.push(child)
  }
  const dead = Promise.race(racers.map(died))
  dead.catch(() => {})
  const report: RacesReport = { races: 0, split: 0 }
  try {
    for (let order = 1; report.races < races; order += together) {
      const orders = Array.from({ length: together }, (_, more) => order + more)
      const answers = racers.map((racer) => Promise.race([once(racer, 'message'), dead]))
      for (const racer of racers) racer.send(orders)
      const [[one], [other]] = (await Promise.all(answers)) as [[Answer[]], [Answer[]]]
      for (const [place, { url, attempts }] of one.entries()) {
        report.races++
        if (url !== other[place]!.url || attempts !== 1 || other[place]!.attempts !== 1) report.split++
      }
    }
  } finally {
    for (const racer of racers) racer.disconnect()
    rmSync(folder, { recursive: true })
  }
  return report
}

async function died(racer: ChildProcess): Promise<never> {
  await once(racer, 'exit')
  throw new Error('a racer has died')
}

interface Answer {
  id: number
  url: string
  attempts: number
}
