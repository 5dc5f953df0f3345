import { simulate } from './simulation.ts'

const [from, to] = process.argv.slice(2).map(Number)
const since = performance.now()
let kills = 0,
  bad = 0
for (let seed = from!; seed <= to!; seed++) {
  const outcome = await simulate(seed)
  kills += outcome.kills
  if (outcome.violations.length) {
    bad++
    if (bad < 15) console.log(seed, outcome.violations)
  }
}
console.log({ runs: to! - from! + 1, kills, bad, ms: Math.round(performance.now() - since) })
