import cluster from 'node:cluster'
import { hostname } from 'node:os'
import type { NodeRuns } from '../store.ts'
import { buildOf, version } from '../version.ts'

/** This process, for `purveyor nodes list`. */
export const runsHere = (): Omit<NodeRuns, 'since'> => ({
  host: hostname(),
  pid: process.pid,
  mainPid: cluster.isWorker ? process.ppid : process.pid,
  version,
  build: buildOf(process.env),
})
