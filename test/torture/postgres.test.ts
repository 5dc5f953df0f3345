import { beforeAll, test } from 'vitest'
import { atEnd } from '../at-end.ts'
import { sized } from '../long.ts'
import { sharedPostgres } from '../postgres.ts'
import { expectRecovery, expectRest } from './virtual-runs.ts'
import { type MakeStore, onServer } from './virtual-store.ts'

// The short forms of what runs in virtual time, on a real server; `npm run torture -- --store postgres` runs the long ones.

let make: MakeStore
beforeAll(async () => {
  const stores = await onServer(await (await sharedPostgres()).database())
  atEnd(stores.close)
  make = stores.make
})

test('schedules of crashes, lost calls and late money come to rest with nothing lost and nothing invented', () =>
  expectRest(sized(3, 40), make))

test('a receiver that is down for hours gets everything within 15 min of its recovery, and delays nobody', () =>
  expectRecovery(sized(60, 400), 3, make))
