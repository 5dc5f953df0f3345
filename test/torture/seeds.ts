// Runs the simulations of a range of seeds, in a process of its own. Prints what was found as one JSON line.
import { simulate } from './simulation.ts'
import { onServer } from './virtual-store.ts'

export interface SeedsReport {
  schedules: number
  kills: number
  violations: { seed: number; said: string[] }[]
}

const [from = 1, to = 1, stopAt = Number.POSITIVE_INFINITY] = process.argv.slice(2, 5).map(Number)
const server = process.argv[5] === undefined ? undefined : await onServer(process.argv[5])
const report: SeedsReport = { schedules: 0, kills: 0, violations: [] }
for (let seed = from; seed <= to; seed++) {
  const { kills, violations } = await simulate(seed, [], server?.make)
  report.schedules++
  report.kills += kills
  if (violations.length > 0) report.violations.push({ seed, said: violations })
  if (report.violations.length >= stopAt) break
}
await server?.close()
console.log(JSON.stringify(report))
