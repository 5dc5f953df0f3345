/** A third of the lease of a webhook, in milliseconds: a smaller difference is followed at once, because no lease ends early. */
export const followed = 5_000
/** How far the agreed time moves towards the server's per minute, in milliseconds. */
const step = 3_000
const minute = 60_000
/** The age below which the agreed time was renewed just now: a running node renews it every minute. */
const renewedWithin = 3 * minute
/** Two machines' clocks with a smaller difference are both right. */
const alike = minute

/**
 * How much earlier than the last reading a counter may be read, in milliseconds: it counts in steps of ten, and a reading is dated halfway
 * between question and answer.
 */
const blur = 1_000

/** The time agreed by the nodes of a store, in milliseconds since 1970. */
export interface AgreedTime {
  /** The server's clock at that moment; on SQLite the machine's. */
  serverAt: number
  agreedAt: number
  /** How often a person made the server's time the agreed one. */
  releases: number
}

/** The same, with a counter of a machine that cannot be set. */
interface Witness extends AgreedTime {
  /** Milliseconds since the machine has booted, sleep included. */
  up: number
}

export interface Seen {
  serverAt: number
  /** This machine's clock. */
  wall: number
  up: number
  /** The time that the node uses so far; not set at its start, and after a person made the server's time the agreed one. */
  own: number | undefined
  agreed: AgreedTime
  /** The note of a node on this machine since its boot. */
  witness: Witness | undefined
  /** Whether other nodes have been connected since the agreed time was renewed. */
  othersRun: boolean
}

/**
 * The agreed time, and how many milliseconds the server's clock is ahead of it. A small difference is followed at once. A larger one is a
 * clock that was set: it is followed by 3 s a minute, so that nothing expires at once and no lease ends. An hour of agreed time
 * lasts 57 minutes while a clock ahead is followed, and 63 while one behind is.
 */
export function agreedNow(seen: Seen): { at: number; off: number } {
  const { serverAt, agreed } = seen
  const at = undrifted(seen)
  const off = serverAt - at
  if (Math.abs(off) <= followed) return { at: serverAt, off: 0 }
  const mayMove = Math.max(0, (step * (at - agreed.agreedAt)) / minute)
  return { at: at + Math.sign(off) * Math.min(Math.abs(off), mayMove), off }
}

function undrifted(seen: Seen): number {
  const { serverAt, agreed } = seen
  const counted = countedTime(seen)
  const shared = agreed.agreedAt + serverAt - agreed.serverAt
  if (counted === undefined) return withoutWitness(seen, shared)
  if (Math.abs(counted - shared) <= followed) return shared
  // The others continued while this machine was paused, such as a virtual machine that is moved.
  if (counted < agreed.agreedAt - followed) return isRenewed(seen) ? shared : agreed.agreedAt
  // The server's clock was set since it was read last.
  return counted
}

/** The agreed time by a counter that continues between processes and cannot be set. */
function countedTime({ own, up, witness, agreed }: Seen): number | undefined {
  if (own !== undefined) return own
  if (witness?.releases !== agreed.releases || up < witness.up - blur) return undefined
  return witness.agreedAt + up - witness.up
}

/**
 * For a node that starts on a rebooted or new machine. If other nodes run and have renewed nothing, the server's clock was set a moment
 * ago. If none runs, the provider was stopped: the server's time counts if this machine's clock agrees, otherwise the earlier of both,
 * because expiring late does less harm. Time never goes back.
 */
function withoutWitness(seen: Seen, shared: number): number {
  const { wall, agreed, othersRun } = seen
  if (isRenewed(seen)) return shared
  if (othersRun) return agreed.agreedAt
  const clocks =
    Math.abs(wall - shared) <= alike ? [shared] : [shared, wall].sort((one, other) => one - other)
  return clocks.find((one) => one >= agreed.agreedAt - followed) ?? agreed.agreedAt
}

function isRenewed({ serverAt, agreed }: Seen): boolean {
  const passed = serverAt - agreed.serverAt
  return passed >= -followed && passed <= renewedWithin
}
