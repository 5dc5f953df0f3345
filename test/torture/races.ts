import { temporaryFolder } from '../temporary.ts'
import { startWorkers } from './workers.ts'

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
  using folder = temporaryFolder()
  const url = databaseUrl ?? `sqlite:${folder.at('races.db')}`
  using racers = await startWorkers(new URL('./racer.ts', import.meta.url), [[url], [url]])
  const report: RacesReport = { races: 0, split: 0 }
  for (let order = 1; report.races < races; order += together) {
    const orders = Array.from({ length: together }, (_, more) => order + more)
    const started = await racers.askAll<Started[]>(() => ({ step: 'start', orders }))
    const learned = await racers.askAll<{ money: string }[]>(() => ({ step: 'learn', orders }))
    for (const place of orders.keys()) {
      report.races++
      const [one, other] = started.map((answers) => answers[place]!) as [Started, Started]
      const isOne = one.url === other.url && one.attempts === 1 && other.attempts === 1
      if (!isOne || learned.some((answers) => answers[place]!.money !== money)) report.split++
    }
  }
  return report
}

interface Started {
  url: string
  attempts: number
}

/** Received, refunded and charged back of each order, once a process has learned its movements. */
const money = '29.34 10.00 9.00'
