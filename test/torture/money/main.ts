// One rule about money, in a process of its own: `node main.ts [attempt]` prints one JSON object.
import { type MoneyAttempt, runMoney } from './all.ts'
import type { MoneyReport } from './report.ts'

/** What is printed. */
export type MoneyFindings = MoneyReport

const { tries, violations } = await runMoney(process.argv[2] as MoneyAttempt | undefined)
console.log(JSON.stringify({ tries, violations: violations.slice(0, 20) } satisfies MoneyFindings))
process.exit()
