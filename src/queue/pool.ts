import type { World } from '../world.ts'
import type { PoolClaim } from './lanes.ts'

export interface PoolOptions<Item> {
  /** The most items that are worked on at a time, each in one place, and of one lane. */
  atOnce: number
  perLane: number
  /** So many more are claimed and wait for a place, so that work goes on during the next claim. Default 0. */
  ahead?: number
  /** The most items of one claim. Default: as many as fit. */
  perClaim?: number
  /** Fewer free places than these wait up to 50 ms for others, or while claimed items wait for a place: each claim is a commit. Default 1. */
  fewest?: number
  /** How long a claim holds, in milliseconds. `renew` renews it after each third, so that another process takes over soon after this one dies. */
  lease: number
  /** Work that takes longer than `after` milliseconds gives its place to another item; so many are open at most. Multiple of 1 s. */
  slow?: { after: number; atOnce: number }
  claim(claim: PoolClaim): Promise<readonly Item[]>
  renew?(items: readonly Item[], leaseUntil: number): Promise<void>
  /** Does the work, and never rejects. `over` gives the place back before its end: nothing waits for the rest. */
  work(item: Item, over: () => void): Promise<void>
  laneOf(item: Item): string
  /** Whether its lane may have more than was claimed. A lane with `perLane` items always may. */
  isFull?(item: Item): boolean
}

/** One claimed item, until its work has ended. */
interface Held<Item> {
  item: Item
  lane: string
  /** In milliseconds since 1970. */
  leaseUntil: number
  /** Whether it waits for a place, has one, has given it to another because it takes long, or is over for its lane and its place. */
  stage: 'waiting' | 'open' | 'slow' | 'over'
  /** When its work began, in milliseconds since 1970. */
  since: number
}

const gatherFor = 50
const upkeepEvery = 1_000

/** Claims what is due, in lanes, and works on it: so many items at a time. One lane takes a part of the places only. */
export class Pool<Item> {
  readonly #world: World
  readonly #options: Required<PoolOptions<Item>>
  /** All that are claimed, and those of them that wait for a place, in the order of their claim. */
  readonly #held = new Map<Held<Item>, Promise<void> | undefined>()
  readonly #waiting: Held<Item>[] = []
  #open = 0
  #slow = 0
  readonly #inLane = new Map<string, number>()
  readonly #fullLanes = new Set<string>()
  #claiming: Promise<void> = Promise.resolve()
  #isClaiming = false
  /** More may be due than is claimed. */
  #mayBeMore = false
  #stopped = false
  #renewAt = 0
  #cancelGathering: (() => void) | undefined
  #cancelUpkeep: (() => void) | undefined

  constructor(world: World, options: PoolOptions<Item>) {
    this.#world = world
    const [slow, renew] = [{ after: Infinity, atOnce: 0 }, async () => {}]
    this.#options = { ahead: 0, perClaim: Infinity, fewest: 1, slow, renew, isFull: () => false, ...options }
  }

  /** Begins what is due. Resolves when it has begun; what finds no place begins later by itself. */
  wake(): Promise<void> {
    this.#mayBeMore = true
    return this.#begin()
  }

  /** Whether no work is open but slow one, and none waits. */
  get isIdle(): boolean {
    return this.#open <= this.#slow && this.#waiting.length === 0
  }

  /** The lanes that have so many items as may be open. */
  get fullLanes(): string[] {
    const { perLane } = this.#options
    return [...this.#inLane].flatMap(([lane, open]) => (open >= perLane ? [lane] : []))
  }

  /** Claims nothing more. Resolves when all that is claimed has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.idle()
    this.#cancelGathering?.()
    this.#cancelUpkeep?.()
  }

  async idle(): Promise<void> {
    while (this.#isClaiming || this.#held.size > 0)
      await Promise.allSettled([this.#claiming, ...this.#held.values()])
  }

  /** Leaves what is claimed and has not ended: it is no longer renewed, and nothing waits for it. */
  leave(): void {
    this.#held.clear()
    this.#waiting.length = 0
    this.#cancelUpkeep?.()
  }

  #begin(fewest = this.#options.fewest): Promise<void> {
    if (!this.#isClaiming) this.#claiming = this.#claimAll(fewest)
    return this.#claiming
  }

  /** The next claim does not belong to the trace of the work that has ended, and the next poll repeats one that fails. */
  #claimMore(fewest = this.#options.fewest): void {
    if (this.#isClaiming || !this.#mayClaim(fewest)) return
    this.#world.observer.apart(() => void this.#begin(fewest).catch(() => {}))
  }

  async #claimAll(fewest: number): Promise<void> {
    this.#isClaiming = true
    try {
      while (this.#mayClaim(fewest)) await this.#claim()
    } finally {
      // In the turn that has found no more, so that no wake-up comes between.
      this.#isClaiming = false
    }
  }

  get #free(): number {
    const { atOnce, slow } = this.#options
    return atOnce - this.#open + Math.min(this.#slow, slow.atOnce)
  }

  /** While as many are slow as there are places, nothing is claimed ahead: another process may work on it. */
  get #wanted(): number {
    const { ahead, atOnce } = this.#options
    return this.#free + (this.#slow < atOnce ? ahead : 0) - this.#waiting.length
  }

  #mayClaim(fewest: number): boolean {
    if (!this.#mayBeMore || this.#stopped) return false
    const wanted = this.#wanted
    // While some wait for a place, none is idle.
    if (wanted > 0 && wanted < fewest && this.#waiting.length === 0)
      this.#cancelGathering ??= this.#world.after(gatherFor, () => {
        this.#cancelGathering = undefined
        this.#claimMore(1)
      })
    return wanted > 0 && wanted >= fewest
  }

  async #claim(): Promise<void> {
    const { perClaim, perLane, lease, claim, laneOf, isFull } = this.#options
    // A claim may miss what becomes due or free after it has begun.
    this.#mayBeMore = false
    this.#cancelGathering?.()
    this.#cancelGathering = undefined
    const [limit, now] = [Math.min(this.#wanted, perClaim), this.#world.now()]
    const leaseUntil = now + lease
    if (this.#held.size === 0) this.#renewAt = now + lease / 3
    const claimed = await claim({ now, leaseUntil, limit, perLane })
    for (const item of claimed) {
      const lane = laneOf(item)
      const open = (this.#inLane.get(lane) ?? 0) + 1
      this.#inLane.set(lane, open)
      if (open >= perLane || isFull(item)) this.#fullLanes.add(lane)
      const held: Held<Item> = { item, lane, leaseUntil, stage: 'waiting', since: now }
      this.#held.set(held, undefined)
      this.#waiting.push(held)
    }
    this.#fill()
    this.#upkeep()
    if (claimed.length >= limit) this.#mayBeMore = true
  }

  /** Gives free places to those that wait, and to more. */
  #fill(): void {
    const now = this.#world.now()
    while (this.#free > 0 && this.#waiting.length > 0) {
      const held = this.#waiting.shift()!
      if (held.leaseUntil > now) this.#work(held, now)
      else {
        // This process stood still, and another one may have it.
        this.#held.delete(held)
        this.#leaveLane(held.lane)
        this.#mayBeMore = true
      }
    }
    this.#claimMore()
  }

  #work(held: Held<Item>, now: number): void {
    held.stage = 'open'
    held.since = now
    this.#open++
    /** Its place and its part of its lane are free. */
    const over = () => {
      if (held.stage === 'over') return
      if (held.stage === 'slow') this.#slow--
      held.stage = 'over'
      this.#open--
      this.#leaveLane(held.lane)
      this.#fill()
    }
    const work = this.#options.work(held.item, over).finally(() => {
      this.#held.delete(held)
      over()
    })
    this.#held.set(held, work)
  }

  /** A full lane is filled again once half of its items have ended: claims one by one would cost as many commits. */
  #leaveLane(lane: string): void {
    const left = (this.#inLane.get(lane) ?? 1) - 1
    if (left > 0) this.#inLane.set(lane, left)
    else this.#inLane.delete(lane)
    if (left <= this.#options.perLane / 2 && this.#fullLanes.delete(lane)) this.#mayBeMore = true
  }

  /** While something is held: renews leases, and counts what is slow. */
  #upkeep(): void {
    if (this.#held.size === 0) return
    this.#cancelUpkeep ??= this.#world.after(upkeepEvery, () => {
      this.#cancelUpkeep = undefined
      const now = this.#world.now()
      for (const held of this.#held.keys()) {
        if (held.stage !== 'open' || now - held.since < this.#options.slow.after) continue
        held.stage = 'slow'
        this.#slow++
      }
      if (now >= this.#renewAt) void this.#renew(now)
      this.#fill()
      this.#upkeep()
    })
  }

  async #renew(now: number): Promise<void> {
    const { lease, renew } = this.#options
    this.#renewAt = now + lease / 3
    const leaseUntil = now + lease
    const leased = [...this.#held.keys()].filter((one) => one.stage !== 'waiting' || one.leaseUntil > now)
    const items = leased.map(({ item }) => item)
    try {
      await renew(items, leaseUntil)
      for (const one of leased) one.leaseUntil = leaseUntil
    } catch (error) {
      this.#world.log.warn({ err: error }, 'leases were not renewed')
    }
  }
}
