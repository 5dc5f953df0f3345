import { duration } from '../../printable.ts'
import type { ClockState } from '../../store.ts'
import type { NodeView } from '../../use-cases/list-nodes.ts'

/** A smaller difference is no fault, in milliseconds. The alert `PurveyorClockOff` uses the same. */
const mostOff = 2_000
/** Differences this close are the same one, in milliseconds: nodes are noted every 15 s, and their time moves by 3 s at once. */
const alike = 5_000
/** So many nodes are named. */
const mostNamed = 5

/** The clock of a running node. */
export interface NodeClock {
  node: string
  host: string | undefined
  pid: number | undefined
  /** How far it is ahead of the time that the providers use; below 0 it is behind. */
  offSeconds: number
}

/** The machines whose clocks are off, in words and by name, and what to do about it. */
export interface ClocksOff {
  hosts: readonly string[]
  says: string
  remedy: string
}

type Noted = NodeView & { clockOffMs: number }

/** The running nodes that have noted their clock. */
const noted = (nodes: readonly NodeView[]): Noted[] =>
  nodes.filter((node): node is Noted => node.runs && node.clockOffMs !== undefined)

/** The clocks of the running nodes, as far as these have noted them. */
export const nodeClocks = (nodes: readonly NodeView[]): NodeClock[] =>
  noted(nodes).map(({ node, host, pid, clockOffMs }) => ({
    ...{ node, host, pid },
    offSeconds: Math.round(clockOffMs / 1_000),
  }))

/** `2 h ahead`, `3 s behind` or `right`, and an empty text for a node that has noted nothing. */
export function clockWords(ms: number | undefined): string {
  if (ms === undefined) return ''
  return Math.abs(ms) <= mostOff ? 'right' : differenceWords(ms)
}

/** `2 h ahead` or `3 s behind`. */
const differenceWords = (ms: number): string => `${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`

/** A difference of clocks with the time that it is from: `2 h ahead of the providers' time`. */
export const fromProviders = (ms: number): string =>
  `${differenceWords(ms)}${ms > 0 ? ' of' : ''} the providers' time`

/** Whether the clock that the providers follow was set: the database server's, on SQLite the machine's. */
export const wasSet = ({ serverAt, agreedAt }: ClockState): boolean => Math.abs(serverAt - agreedAt) > alike

/**
 * The running nodes whose machines show another time than the providers use, and what to do about it. `state` has the clock that the
 * providers follow. `besides` leaves out the nodes that show the same as this one, after it was set.
 */
export function clocksOff(
  nodes: readonly NodeView[],
  state: ClockState | undefined,
  { besides = false }: { besides?: boolean } = {},
): ClocksOff | undefined {
  const followed = state && wasSet(state) ? state.serverAt - state.agreedAt : undefined
  const off = noted(nodes)
    .filter(({ clockOffMs }) => Math.abs(clockOffMs) > mostOff)
    .filter(({ clockOffMs }) => !besides || followed === undefined || Math.abs(clockOffMs - followed) > alike)
    .toSorted((one, other) => Math.abs(other.clockOffMs) - Math.abs(one.clockOffMs))
  if (off.length === 0) return undefined
  const hosts = [...new Set(off.map(({ host = '' }) => host))]
  return { hosts, says: saysOf(off), remedy: remedyOf(off, { nodes: noted(nodes), followed }) }
}

function saysOf(off: readonly Noted[]): string {
  const [first, ...others] = off
  if (others.length === 0) return `The clock of ${nameOf(first!)} is ${fromProviders(first!.clockOffMs)}`
  const named = off
    .slice(0, mostNamed)
    .map((one) => `that of ${nameOf(one)} is ${differenceWords(one.clockOffMs)}`)
  const more = off.length > mostNamed ? [`and ${off.length - mostNamed} more`] : []
  return `The clocks of ${off.length} nodes differ from the providers' time: ${[...named, ...more].join('; ')}`
}

const nameOf = ({ host, pid }: Noted): string => `${host} (process id ${pid})`

/** Nodes on several machines that differ by the same amount point to the clock that they are compared with. */
function remedyOf(
  off: readonly Noted[],
  { nodes, followed }: { nodes: readonly Noted[]; followed: number | undefined },
): string {
  if (followed !== undefined)
    return 'The clock that the providers follow was set too, so look at it first: purveyor clock show'
  const differences = off.map(({ clockOffMs }) => clockOffMs)
  const isSame = Math.max(...differences) - Math.min(...differences) <= alike
  const machines = new Set(off.map(({ host }) => host)).size
  if (isSame && machines > 1 && off.length === nodes.length)
    return 'All differ by the same, so look at the clock of the database server first, then at theirs: set what is wrong with NTP'
  const whose = machines === 1 ? 'that machine' : 'each of these machines'
  return `Set the clock of ${whose} with NTP. No payment expires because of it; its log lines show the wrong time, and it may refuse valid certificates and tokens`
}
