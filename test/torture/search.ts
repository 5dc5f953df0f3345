// One search in a process of its own: `node search.ts <kind> <name> [short|long]` prints its report as one JSON object.
import type { NeighbourKind } from './neighbours/all.ts'
import type { StrangersAttempt } from './strangers/all.ts'

/** By what searches for them, the names of searches. */
export interface Searches {
  carriers: 'short'
  neighbours: NeighbourKind
  strangers: StrangersAttempt
}

const [kind, name, form] = process.argv.slice(2) as [keyof Searches, never, string?]

/** Each imports what it needs alone: a seeded bug may break the others. */
const kinds: Record<keyof Searches, () => Promise<{ violations: string[] }>> = {
  carriers: async () => (await import('./carriers/simulation.ts')).simulateCarriers(1, 1_500, 30),
  async neighbours() {
    const { longForm, shortForm } = await import('./neighbours/turns.ts')
    const { neighbours } = await import('./neighbours/all.ts')
    return neighbours[name as NeighbourKind](form === 'long' ? longForm : shortForm)
  },
  strangers: async () => (await import('./strangers/all.ts')).tryStrangers(name),
}
// Nothing else keeps this process: the timers of a provider do not.
setInterval(() => {}, 1_000)
const report = await kinds[kind]().catch((error: unknown) => ({
  ...{ name, others: { calls: 0, failed: 0, late: 0 }, healed_within_s: 0 },
  violations: [`${name}: it broke: ${error instanceof Error ? error.stack : error}`],
}))
const violations = report.violations.slice(0, 100)
// An exit beside a long report would cut it.
process.stdout.write(`${JSON.stringify({ ...report, violations })}\n`, () => process.exit())
