// One kind of bad neighbour, in a process of its own: `node main.ts <kind> [short|long]` prints its report as one JSON object.
import { type NeighbourKind, neighbours } from './all.ts'
import type { NeighbourReport } from './report.ts'
import { longForm, shortForm } from './turns.ts'

const [kind, form] = process.argv.slice(2) as [NeighbourKind, string | undefined]
const report: NeighbourReport = await neighbours[kind](form === 'long' ? longForm : shortForm).catch(
  (error: unknown) => ({
    name: kind,
    others: { calls: 0, failed: 0, late: 0, p99_before_ms: 0, p99_ms: 0, ratio: 0 },
    healed_within_s: 0,
    violations: [`${kind}: it broke: ${error instanceof Error ? error.stack : error}`],
  }),
)
// An exit beside a long report would cut it.
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit())
