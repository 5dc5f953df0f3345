/** A call that takes longer is slow, in milliseconds. */
const slowAfter = 1_000
/** So many more bad calls than good ones make an adapter slow, and so many more good ones end it. */
const enough = 10
/** It ends too when no call was bad for this long, in milliseconds. */
const overAfter = 600_000

/** Without a call for this long nobody knows whether it is still slow, in milliseconds. */
export const quietAfter = 60_000

/** A rate adapter most of whose calls fail or take over 1 s. Times are in milliseconds since 1970. */
export interface SlowAdapter {
  adapter: string
  /** The only shop with bad calls, if others were answered well meanwhile. Not set if it is slow as a whole. */
  shop: string | undefined
  /** When its calls began to be bad. */
  since: number
  lastFailure: string
  /** When its last call ended, bad or good. */
  lastCallAt: number
}

interface Counted extends SlowAdapter {
  /** The first shop with a bad call, whether another one had some too, and whether another one was answered well. */
  firstShop: string
  several: boolean
  othersAreWell: boolean
  /** Bad calls less good ones, from 1 to `enough`. */
  score: number
  isSlow: boolean
  lastBadAt: number
}

/** Finds the rate adapters of this process that are slow or fail, whether or not a breaker opens. Good calls of good adapters cost nothing. */
export class SlowAdapters {
  readonly #adapters = new Map<string, Counted>()

  /** `failure`: why the call failed; not set if it was answered. */
  called(
    adapter: string,
    { shop, ms, failure, now }: { shop: string; ms: number; failure?: string | undefined; now: number },
  ): void {
    const known = this.#adapters.get(adapter)
    if (failure === undefined && ms <= slowAfter) {
      if (!known) return
      known.lastCallAt = now
      if (shop !== known.firstShop) known.othersAreWell = true
      if (--known.score <= 0) this.#adapters.delete(adapter)
      return
    }
    const lastFailure = failure ?? `answered after ${(ms / 1_000).toFixed(1)} s`
    const before = known && now - known.lastBadAt < overAfter ? known : undefined
    const score = Math.min((before?.score ?? 0) + 1, enough)
    const firstShop = before?.firstShop ?? shop
    const several = before?.several || shop !== firstShop
    const othersAreWell = before?.othersAreWell ?? false
    const isSlow = before?.isSlow || score === enough
    // Decided once, when it becomes slow: it widens, and never narrows.
    const ofOne = before?.isSlow ? before.shop !== undefined : othersAreWell
    this.#adapters.set(adapter, {
      ...{
        adapter,
        since: before?.since ?? now - ms,
        lastFailure,
        score,
        isSlow,
        lastBadAt: now,
        lastCallAt: now,
      },
      ...{ firstShop, several, othersAreWell, shop: ofOne && !several ? firstShop : undefined },
    })
  }

  slow(now: number): SlowAdapter[] {
    return [...this.#adapters.values()]
      .filter(({ isSlow, lastBadAt }) => isSlow && now - lastBadAt < overAfter)
      .map(({ adapter, shop, since, lastFailure, lastCallAt }) => ({
        ...{ adapter, shop, since, lastFailure, lastCallAt },
      }))
  }
}
