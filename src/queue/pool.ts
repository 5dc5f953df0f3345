import type { World } from '../world.ts'

/** Leases that a pool asks for: until `leaseUntil` of at most `limit` items, at most `perLane` of them in one lane. */
export interface PoolClaim {
  /** Milliseconds since 1970, as `leaseUntil`. */
  now: number
  leaseUntil: number
  limit: number
  perLane: number
}

export interface PoolOptions<Item> {
  /** The most items that are worked on at a time. Each has one place. */
  atOnce: number
  /** The most items of one lane. */
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
  /** In milliseconds since 1970. */
  leaseUntil: number
  /** When its work began, in milliseconds since 1970. Not set while it waits for a place. */
  since: number | undefined
  isSlow: boolean
  /** It has left its lane and its place. */
  isOver: boolean
}

const gatherFor = 50
const upkeepEvery = 1_000

/** Claims what is due, in lanes, and works on it: so many items at a time. One lane takes a part of the places only. */
export class Pool<Item> {
  readonly #world: World
  readonly #options: Required<Omit<PoolOptions<Item>, 'renew'>> & Pick<PoolOptions<Item>, 'renew'>
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
    const slow = { after: Infinity, atOnce: 0 }
    this.#options = { ahead: 0, perClaim: Infinity, fewest: 1, slow, isFull: () => false, ...options }
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

  /** Resolves when nothing is claimed. */
  async idle(): Promise<void> {
    while (this.#isClaiming || this.#held.size > 0)
      await Promise.allSettled([this.#claiming, ...this.#held.values()])
  }

  /** Returns what is claimed and has not ended: it is no longer renewed, and nothing waits for it. */
  leave(): Item[] {
    const left = [...this.#held.keys()].map(({ item }) => item)
    this.#held.clear()
    this.#waiting.length = 0
    this.#cancelUpkeep?.()
    return left
  }

  #begin(fewest = this.#options.fewest): Promise<void> {
    if (!this.#isClaiming) this.#claiming = this.#claimAll(fewest)
    return this.#claiming
  }

  /** The next claim does not belong to the trace of the work that has ended, and the next poll repeats one that fails. */
  #beginApart(fewest?: number): void {
    this.#world.observer.apart(() => void this.#begin(fewest).catch(() => {}))
  }

  async #claimAll(fewest: number): Promise<void> {
    this.#isClaiming = true
    try {
      while (this.#mayBeMore && !this.#stopped && this.#hasPlaces(fewest)) await this.#claim()
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

  #hasPlaces(fewest: number): boolean {
    const wanted = this.#wanted
    // While some wait for a place, none is idle.
    if (wanted > 0 && wanted < fewest && this.#waiting.length === 0)
      this.#cancelGathering ??= this.#world.after(gatherFor, () => {
        this.#cancelGathering = undefined
        this.#beginApart(1)
      })
    return wanted > 0 && wanted >= fewest
  }

  async #claim(): Promise<void> {
    const { perClaim, perLane, lease, claim, laneOf, isFull } = this.#options
    // A claim may miss what becomes due or free after it has begun.
    this.#mayBeMore = false
    this.#cancelGathering?.()
    this.#cancelGathering = undefined
    const limit = Math.min(this.#wanted, perClaim)
    const now = this.#world.now()
    const leaseUntil = now + lease
    if (this.#held.size === 0) this.#renewAt = now + lease / 3
    const claimed = await claim({ now, leaseUntil, limit, perLane })
    for (const item of claimed) {
      const lane = laneOf(item)
      const inLane = (this.#inLane.get(lane) ?? 0) + 1
      this.#inLane.set(lane, inLane)
      if (inLane >= perLane || isFull(item)) this.#fullLanes.add(lane)
      const held = { item, leaseUntil, since: undefined, isSlow: false, isOver: false }
      this.#held.set(held, undefined)
      this.#waiting.push(held)
    }
    this.#fill()
    this.#upkeep()
    if (claimed.length >= limit) this.#mayBeMore = true
  }

  /** Gives free places to those that wait. */
  #fill(): void {
    const now = this.#world.now()
    while (this.#free > 0) {
      const held = this.#waiting.shift()
      if (!held) return
      if (held.leaseUntil > now) {
        this.#work(held, now)
        continue
      }
      // This process stood still, and another one may have it.
      this.#held.delete(held)
      this.#leaveLane(this.#options.laneOf(held.item))
      this.#mayBeMore = true
    }
  }

  #work(held: Held<Item>, now: number): void {
    held.since = now
    this.#open++
    const over = () => this.#over(held)
    const work = this.#options.work(held.item, over).finally(() => {
      this.#held.delete(held)
      over()
    })
    this.#held.set(held, work)
  }

  /** Its place and its part of its lane are free. */
  #over(held: Held<Item>): void {
    if (held.isOver) return
    held.isOver = true
    this.#open--
    if (held.isSlow) this.#slow--
    this.#leaveLane(this.#options.laneOf(held.item))
    this.#freed()
  }

  /** A full lane is filled again once half of its items have ended: claims one by one would cost as many commits. */
  #leaveLane(lane: string): void {
    const left = (this.#inLane.get(lane) ?? 1) - 1
    if (left > 0) this.#inLane.set(lane, left)
    else this.#inLane.delete(lane)
    if (left <= this.#options.perLane / 2 && this.#fullLanes.delete(lane)) this.#mayBeMore = true
  }

  #freed(): void {
    this.#fill()
    if (this.#mayBeMore && !this.#isClaiming && !this.#stopped && this.#hasPlaces(this.#options.fewest))
      this.#beginApart()
  }

  /** While something is held: renews leases, and counts what is slow. */
  #upkeep(): void {
    if (this.#cancelUpkeep || this.#held.size === 0) return
    this.#cancelUpkeep = this.#world.after(upkeepEvery, () => {
      this.#cancelUpkeep = undefined
      const now = this.#world.now()
      for (const held of this.#held.keys()) {
        const { since = Infinity, isSlow, isOver } = held
        if (isSlow || isOver || now - since < this.#options.slow.after) continue
        held.isSlow = true
        this.#slow++
      }
      if (now >= this.#renewAt) this.#renew(now)
      this.#freed()
      this.#upkeep()
    })
  }

  #renew(now: number): void {
    const { lease, renew } = this.#options
    this.#renewAt = now + lease / 3
    const leaseUntil = now + lease
    const leased = [...this.#held.keys()].filter((one) => one.since !== undefined || one.leaseUntil > now)
    const renewed = renew?.(
      leased.map(({ item }) => item),
      leaseUntil,
    )
    renewed?.then(
      () => {
        for (const one of leased) one.leaseUntil = leaseUntil
      },
      (error: unknown) => this.#world.log.warn({ err: error }, 'leases were not renewed'),
    )
  }
}
