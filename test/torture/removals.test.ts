import { expect, test } from 'vitest'
import { sized } from '../long.ts'
import { sharedPostgres } from '../postgres.ts'
import { runRemovals } from './removals.ts'

// `npm run torture -- --removals 20000` runs many times as much.

test.each(['sqlite', 'postgres'])(
  'a shop that is removed starts nothing and writes nothing, and the next one of its name reads nothing of it: %s',
  async (engine) => {
    const url = engine === 'postgres' ? await (await sharedPostgres()).database() : undefined
    const report = await runRemovals(sized(24, 240), 1, url)
    expect(report.violations).toEqual([])
    expect(report.removals).toBeGreaterThanOrEqual(24)
    expect(Math.min(report.written, report.refused)).toBeGreaterThan(50)
  },
)
