import { hostname } from 'node:os'
import type { Machine } from './list-nodes.ts'

/** The machine of this process. */
export const thisMachine: Machine = {
  host: hostname(),
  runs(pid) {
    try {
      return process.kill(pid, 0)
    } catch (error) {
      // A process of another user runs too.
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  },
}
