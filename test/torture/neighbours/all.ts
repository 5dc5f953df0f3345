// `npm run torture -- --neighbours`: each kind of bad neighbour, one after the other.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { changedSecret } from './changed-secret.ts'
import { damagedPage } from './damaged-page.ts'
import { databaseAway } from './database-away.ts'
import { fullDisk } from './full-disk.ts'
import { hangingCarrier } from './hanging-carrier.ts'
import { hangingReceivers } from './hanging-receivers.ts'
import { hangingService } from './hanging-service.ts'
import { jumpingClock } from './jumping-clock.ts'
import { largeNameAnswers } from './large-name-answers.ts'
import { lockedRow } from './locked-row.ts'
import { receiverOfAllCodes } from './receiver-of-all-codes.ts'
import { refusingReceiver } from './refusing-receiver.ts'
import type { NeighbourReport } from './report.ts'
import { rollingRestarts } from './rolling-restarts.ts'
import { silentNameServer } from './silent-name-server.ts'
import type { NeighbourSize } from './turns.ts'

/** Each kind in a file of its own. It measures in real time by `watch`, or in virtual time by itself and then by `judge`. */
export const neighbours = {
  'silent-name-server': silentNameServer,
  'large-name-answers': largeNameAnswers,
  'hanging-carrier': hangingCarrier,
  'database-away': databaseAway,
  'rolling-restarts': rollingRestarts,
  'refusing-receiver': refusingReceiver,
  'receiver-of-all-codes': receiverOfAllCodes,
  'hanging-receivers': hangingReceivers,
  'hanging-service': hangingService,
  'locked-row': lockedRow,
  'full-disk': fullDisk,
  'damaged-page': damagedPage,
  'jumping-clock': jumpingClock,
  'changed-secret': changedSecret,
} satisfies Record<string, (size: NeighbourSize) => Promise<NeighbourReport>>

export type NeighbourKind = keyof typeof neighbours

/** Runs these kinds, each in a process of its own, so that none meets what another left behind. */
export async function runNeighbours(
  form: 'short' | 'long',
  kinds: readonly NeighbourKind[] = Object.keys(neighbours) as NeighbourKind[],
): Promise<NeighbourReport[]> {
  const search = new URL('../search.ts', import.meta.url).pathname
  const reports: NeighbourReport[] = []
  for (const kind of kinds) {
    const args = [search, 'neighbours', kind, form]
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 })
    reports.push(JSON.parse(stdout) as NeighbourReport)
  }
  return reports
}
