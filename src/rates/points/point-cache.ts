import type { RateContext } from '../adapter.ts'
import { RateCache } from '../asking/rate-cache.ts'
import { oneZipcode } from '../zipcodes/zipcode.ts'

type Destination = { country: string; zipcode: string }
type Asking = Pick<RateContext, 'shop' | 'settings' | 'now' | 'explain' | 'signal'>

/** How long points are fresh, and how much longer they may be used while the API fails. In milliseconds from the call. */
interface PointsCaching {
  ttl: number
  /** Default 0. */
  staleFor?: number | undefined
}

/** The points that an API answered, by shop, its settings and destination. Equal questions at one time are one call; a failed call, and none, is not kept. */
export class PointCache<Points extends object> {
  readonly #caching: PointsCaching
  readonly #answers = new RateCache<Points>(5_000, () => 1)
  /** A number in a list, which no settings are that are no object. */
  readonly #versions = new WeakMap<object, [number]>()
  #lastVersion = 0

  constructor(caching: PointsCaching) {
    this.#caching = caching
  }

  /** Asks anew after a shared call that failed, once: that call had the deadline of another quote. */
  async of(to: Destination, ctx: Asking, ask: () => Promise<Points>): Promise<Points> {
    const { now, explain, signal } = ctx
    const answers = this.#answers
    const zipcode = oneZipcode(to.country, to.zipcode)
    const key = JSON.stringify([ctx.shop.id, this.#versionOf(ctx.settings), to.country, zipcode])
    const fresh = answers.fresh(key, now())
    if (fresh) return fresh
    const older = answers.stale(key, now())
    const { ttl, staleFor = 0 } = this.#caching
    const call = () => answers.ask(key, now(), (points) => ('none' in points ? [0, 0] : [ttl, staleFor]), ask)
    try {
      const shared = answers.joined(key)
      if (!shared) return await call()
      return await shared.catch((error: unknown) => {
        if (signal.aborted) throw error
        return answers.joined(key) ?? call()
      })
    } catch (error) {
      if (!older || answers.stale(key, now()) !== older) throw error
      explain('points of an earlier call, because this one failed')
      return older
    }
  }

  /** The settings of a shop are one object until they change. */
  #versionOf(settings: unknown): unknown {
    if (typeof settings !== 'object' || settings === null) return settings
    const version = this.#versions.get(settings) ?? [++this.#lastVersion]
    this.#versions.set(settings, version)
    return version
  }
}
