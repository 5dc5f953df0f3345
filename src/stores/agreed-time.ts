/** A third of the lease of a webhook, in milliseconds: a clock that differs by no more is followed at once, because no lease ends early. */
export const followed = 5_000
/** By so much of each minute the agreed time moves towards the server's, in milliseconds. */
const step = 3_000
const minute = 60_000
/** A running node renews the agreed time every minute: one that is no older was renewed just now. */
const renewedWithin = 3 * minute
/** Clocks of two machines that differ by no more are both right. */
const alike = minute

/** What the nodes on a store have agreed on, in milliseconds since 1970. */
export interface AgreedTime {
  /** What the server's clock said, on SQLite the machine's. */
  serverAt: number
  /** What time it was then by agreement. */
  agreedAt: number
  /** How often a person has made the server's time the agreed one. */
  releases: number
}

/** The same, beside a counter of a machine that nobody can set. */
export interface Witness extends AgreedTime {
  /** Milliseconds since the machine has booted, sleep included. */
  up: number
}

/** What a node sees when it looks. */
export interface Seen {
  serverAt: number
  /** This machine's clock. */
  wall: number
  up: number
  /** What the node goes by so far; not set at its start, and after a person has made the server's time the agreed one. */
  own: number | undefined
  agreed: AgreedTime
  /** What a node on this machine noted since it has booted. */
  witness: Witness | undefined
  /** Whether other nodes have been connected for as long as the agreed time is old. */
  othersRun: boolean
}

/**
 * What time it is by agreement, and by how many milliseconds the server's clock is ahead of it. A small difference is followed at once. A
 * larger one is a clock that was set: it is followed by 3 s a minute, so that nothing expires and no lease ends because of it.
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
  // The others went on while this machine stood still, as one that is moved does.
  if (counted < agreed.agreedAt - followed) return isRenewed(seen) ? shared : agreed.agreedAt
  // The server's clock was set since it was read last.
  return counted
}

/** The agreed time by a counter that goes on between processes and that nobody can set. */
function countedTime({ own, up, witness, agreed }: Seen): number | undefined {
  if (own !== undefined) return own
  if (witness?.releases !== agreed.releases || up < witness.up) return undefined
  return witness.agreedAt + up - witness.up
}

/**
 * A node that starts on a machine that has booted since, or is new. Where other nodes run and have renewed nothing, the server's clock was
 * set a moment ago. Where none runs, the provider was stopped: the server's time counts where this machine's clock agrees, and
 * otherwise the earlier of both, since what expires too late does less harm. Time never goes back.
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
