import type cluster from 'node:cluster'
import { hostname } from 'node:os'
import type { NodeRuns } from '../store.ts'
import { buildOf, version } from '../version.ts'

/** This process, for `purveyor nodes list`. */
export const runsHere = (): Omit<NodeRuns, 'since'> => ({
  host: hostname(),
  pid: process.pid,
  // Loaded by a node that starts: other commands do without its ten files.
  get mainPid() {
    return (process.getBuiltinModule('node:cluster') as unknown as typeof cluster).isWorker
      ? process.ppid
      : process.pid
  },
  version,
  build: buildOf(process.env),
})
