import { hostname } from 'node:os'
import { nodeLives } from '../shops/rotate-secret.ts'
import type { NodeSeen } from '../store-port.ts'

/** A process notes itself every 15 s. One that was not seen for so long hangs, cannot write or has died, in milliseconds. */
const silentAfter = 35_000
/** A process that is gone from its machine has died, once it was not seen for so long. Its number may have been another container's. */
const goneAfter = 20_000

/** Processes of one provider on one machine that run the same code: `serve` with its workers, or one process alone. */
export interface NodeView {
  /** The id of the process among them that started first. */
  node: string
  host: string
  /** Of the process that started the workers, or of the one that is alone. */
  pid: number
  version: string
  build: string
  /** How many processes serve or are silent. */
  workers: number
  /** How many of them were not seen for 35 s: they hang, or cannot write to the store. */
  silent: number
  died: boolean
  /** When the first of them started, and when one was seen last, in milliseconds since 1970. */
  since: number
  seenAt: number
  /** Whether one of them was seen within the last minute. */
  runs: boolean
  /** Without those that have died, unless all have. */
  processes: readonly { id: string; pid: number; since: number; seenAt: number; silent: boolean }[]
}

/** The machine on which a command runs: it sees which of its processes are gone. */
export interface Machine {
  host: string
  runs(pid: number): boolean
}

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

/** The nodes among what a store has, and those that died and were not forgotten yet, the oldest first. */
export function nodesOf(seen: readonly NodeSeen[], now: number, machine?: Machine): NodeView[] {
  const groups = Map.groupBy(seen, groupOf)
  return Array.from(groups.values(), (group) => {
    const alive = group.filter((one) => !hasDied(one, seen, now, machine))
    return viewOf(alive.length > 0 ? alive : group, { now, died: alive.length === 0 })
  }).sort((one, other) => one.since - other.since)
}

/** A process of this machine that is gone, or one of another machine in whose place another worker has started. */
function hasDied(
  { runs, seenAt }: NodeSeen,
  all: readonly NodeSeen[],
  now: number,
  machine?: Machine,
): boolean {
  const isLong = now - seenAt > goneAfter
  const startedSince = all.filter((one) => one.runs.host === runs.host && one.runs.since > seenAt)
  if (machine?.host === runs.host) return !machine.runs(runs.pid) && (isLong || startedSince.length > 0)
  return isLong && startedSince.some((one) => one.runs.mainPid === runs.mainPid)
}

/** Workers that run another version than their siblings, in the middle of an upgrade, stand apart. */
const groupOf = ({ runs }: NodeSeen): string =>
  JSON.stringify([runs.host, runs.mainPid, runs.version, runs.build])

function viewOf(group: readonly NodeSeen[], { now, died }: { now: number; died: boolean }): NodeView {
  const byStart = group.toSorted((one, other) => one.runs.since - other.runs.since)
  const { id: node, runs } = byStart[0]!
  const { host, mainPid: pid, version, build, since } = runs
  const seenAt = Math.max(...group.map((one) => one.seenAt))
  const processes = byStart.map(({ id, runs, seenAt }) => {
    const silent = seenAt < now - silentAfter
    return { id, pid: runs.pid, since: runs.since, seenAt, silent }
  })
  const silent = died ? 0 : processes.filter((one) => one.silent).length
  return {
    ...{ node, host, pid, version, build, workers: died ? 0 : group.length, silent, died, since, seenAt },
    runs: !died && seenAt >= now - nodeLives,
    processes,
  }
}

/** Whether a node lives and one of its processes has written nothing for 35 s. */
export const isSilent = ({ died, silent }: NodeView): boolean => !died && silent > 0

/** The versions and builds of the nodes that run. With several, an upgrade is under way, or was not finished. */
export const versionsOf = (nodes: readonly NodeView[]): string[] => [
  ...new Set(nodes.filter(({ runs, silent, workers }) => runs && silent < workers).map(codeOf)),
]

/** Such as `0.1.0 (build 3f2a1c)`. */
export const codeOf = ({ version, build }: Pick<NodeView, 'version' | 'build'>): string =>
  build ? `${version} (build ${build})` : version
