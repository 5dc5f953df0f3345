import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RacesReport {
  races: number
  /** Orders for which the two processes gave different answers, opened two attempts, or lost or repeated a movement. */
  split: number
}

const together = 25

/**
 * Two processes start the same payments on one store at the same moment: one attempt, one session, one answer. Then both learn the same
 * money: each movement counts once. Default: SQLite.
 */
export async function runRaces(races: number, databaseUrl?: string): Promise<RacesReport> {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-races-'))
  const url = databaseUrl ?? `sqlite:${join(folder, 'races.db')}`
  const racers: ChildProcess[] = []
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
      const race = async <A>(step: 'start' | 'learn'): Promise<[A[], A[]]> => {
        const answers = racers.map((racer) => Promise.race([once(racer, 'message'), dead]))
        for (const racer of racers) racer.send({ step, orders })
        const [[one], [other]] = (await Promise.all(answers)) as [[A[]], [A[]]]
        return [one, other]
      }
      const started = await race<Started>('start')
      const learned = await race<{ money: string }>('learn')
      for (const place of orders.keys()) {
        report.races++
        const [one, other] = started.map((answers) => answers[place]!) as [Started, Started]
        const isOne = one.url === other.url && one.attempts === 1 && other.attempts === 1
        if (!isOne || learned.some((answers) => answers[place]!.money !== money)) report.split++
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

interface Started {
  url: string
  attempts: number
}

/** Received, refunded and charged back of each order, once a process has learned its movements. */
const money = '29.34 10.00 9.00'
