import type { NodeRuns, NodeSeen, StorePort } from '../store.ts'
import { nodeLives } from './shops/rotate-secret.ts'

/** Processes of one provider on one machine that run the same code: `serve` with its workers, or one process alone. */
export interface NodeView {
  /** The id of the process among them that started first. */
  node: string
  /** Not set for a node of a version that did not note what it is, as all that follow. */
  host: string | undefined
  /** Of the process that started the workers, or of the one that is alone. */
  pid: number | undefined
  version: string | undefined
  build: string | undefined
  /** How many processes serve. */
  workers: number
  /** When the first of them started, and when one was seen last, in milliseconds since 1970. */
  since: number | undefined
  seenAt: number
  /** Whether one of them was seen within the last minute. */
  runs: boolean
  processes: readonly { id: string; pid: number | undefined; since: number | undefined; seenAt: number }[]
}

/** The nodes that run on a store, and those that died and were not forgotten yet, the oldest first. */
export async function listNodes(store: StorePort, now: number): Promise<NodeView[]> {
  const groups = Map.groupBy(await store.nodes(0), groupOf)
  return Array.from(groups.values(), (group) => viewOf(group, now)).sort(
    (one, other) => (one.since ?? 0) - (other.since ?? 0),
  )
}

/** Workers that run another version than their siblings, in the middle of an upgrade, stand apart. */
const groupOf = ({ id, runs }: NodeSeen): string =>
  runs ? JSON.stringify([runs.host, runs.mainPid, runs.version, runs.build]) : id

function viewOf(group: readonly NodeSeen[], now: number): NodeView {
  const byStart = group.toSorted((one, other) => (one.runs?.since ?? 0) - (other.runs?.since ?? 0))
  const { id: node, runs = {} as Partial<NodeRuns> } = byStart[0]!
  const { host, mainPid: pid, version, build, since } = runs
  const seenAt = Math.max(...group.map((one) => one.seenAt))
  return {
    ...{ node, host, pid, version, build, workers: group.length, since, seenAt },
    runs: seenAt >= now - nodeLives,
    processes: byStart.map(({ id, runs, seenAt }) => ({ id, pid: runs?.pid, since: runs?.since, seenAt })),
  }
}

/** Whether nodes that run have different versions or builds: an upgrade is under way, or was not finished. */
export const versionsOf = (nodes: readonly NodeView[]): string[] => [
  ...new Set(nodes.filter(({ runs }) => runs).map(codeOf)),
]

/** Such as `0.1.0 (build 3f2a1c)`. */
export const codeOf = ({ version, build }: Pick<NodeView, 'version' | 'build'>): string =>
  version === undefined ? 'an older version' : build ? `${version} (build ${build})` : version
