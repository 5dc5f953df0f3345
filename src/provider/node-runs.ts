import type cluster from 'node:cluster'
import { hostname } from 'node:os'
import type { NodeRuns } from '../store.ts'
import { buildOf, version } from '../version.ts'

/** This process, for `purveyor nodes list`. `now` is the time that the providers use, where the machine's clock should agree with it. */
export const runsHere = (now?: () => number): Omit<NodeRuns, 'since'> => ({
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
  // Read anew each time that the process is noted.
  get clockOffMs() {
    return now && Math.round(Date.now() - now())
  },
})
