import { LRUCache } from 'lru-cache'
import type { RateContext } from '../adapter.ts'
import { oneZipcode } from '../zipcodes/zipcode.ts'

type Destination = { country: string; zipcode: string }
type Asking = Pick<RateContext, 'shop' | 'settings' | 'now' | 'explain' | 'signal'>

/** How long points are fresh, and how much longer they may be used while the API fails. In milliseconds from the call. */
export interface PointsCaching {
  ttl: number
  /** Default 0. */
  staleFor?: number | undefined
}

/** The points that an API answered, by shop, its settings and destination. Equal questions at one time are one call; a failed call, and none, is not kept. */
export class PointCache<Points extends object> {
  readonly #ttl: number
  readonly #staleFor: number
  readonly #answers = new LRUCache<string, { askedAt: number; points: Points }>({ max: 5_000 })
  /** A number in a list, which no settings are that are no object. */
  readonly #versions = new WeakMap<object, [number]>()
  #lastVersion = 0
  readonly #underWay = new Map<string, Promise<Points>>()

  constructor({ ttl, staleFor = 0 }: PointsCaching) {
    this.#ttl = ttl
    this.#staleFor = staleFor
  }

  /** Asks anew after a shared call that failed, once: that call had the deadline of another quote. */
  async of(to: Destination, ctx: Asking, ask: () => Promise<Points>): Promise<Points> {
    const { now, explain, signal } = ctx
    const zipcode = oneZipcode(to.country, to.zipcode)
    const key = JSON.stringify([ctx.shop.id, this.#versionOf(ctx.settings), to.country, zipcode])
    const asked = now()
    const kept = this.#answers.get(key)
    const age = kept === undefined ? Number.POSITIVE_INFINITY : asked - kept.askedAt
    if (kept && age >= 0 && age < this.#ttl) return kept.points
    const shared = this.#underWay.get(key)
    try {
      if (!shared) return await this.#call(key, asked, ask)
      return await shared.catch((error: unknown) => {
        if (signal.aborted) throw error
        return this.#underWay.get(key) ?? this.#call(key, now(), ask)
      })
    } catch (error) {
      if (!kept || age < 0 || now() >= kept.askedAt + this.#ttl + this.#staleFor) throw error
      explain('points of an earlier call, because this one failed')
      return kept.points
    }
  }

  /** The settings of a shop are one object until they change. */
  #versionOf(settings: unknown): unknown {
    if (typeof settings !== 'object' || settings === null) return settings
    const version = this.#versions.get(settings) ?? [++this.#lastVersion]
    this.#versions.set(settings, version)
    return version
  }

  #call(key: string, askedAt: number, ask: () => Promise<Points>): Promise<Points> {
    const call = ask()
      .then((points) => {
        if (!('none' in points)) this.#answers.set(key, { askedAt, points })
        return points
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, call)
    return call
  }
}
