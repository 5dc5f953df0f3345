import type { World } from '../../world.ts'

interface Place {
  /** In milliseconds since 1970. */
  since: number
}

interface PlacesOptions {
  atOnce: number
  /** After so many milliseconds a delivery gives its place to another, so that many receivers that hang delay no other. */
  slowAfter: number
  /** The most deliveries that have given up their place and are open. */
  slowAtOnce: number
  /** Called when deliveries have given up their places. */
  freed: () => void
}

/** The places of open deliveries. */
export class Places {
  readonly #world: Pick<World, 'now' | 'after'>
  readonly #options: PlacesOptions
  #open = 0
  #slow = 0
  /** The open deliveries that are not slow, in the order of their start. */
  readonly #quick = new Set<Place>()
  #cancelSlow: (() => void) | undefined

  constructor(world: Pick<World, 'now' | 'after'>, options: PlacesOptions) {
    this.#world = world
    this.#options = options
  }

  /** The places that are free, or less than none. */
  get free(): number {
    const { atOnce, slowAtOnce } = this.#options
    return atOnce - this.#open + Math.min(this.#slow, slowAtOnce)
  }

  /** Whether no delivery is open but slow ones. */
  get isIdle(): boolean {
    return this.#open <= this.#slow
  }

  /** Takes one of the places. Returns what frees it, which returns whether the delivery was quick. */
  take(): () => boolean {
    const place = { since: this.#world.now() }
    this.#open++
    this.#quick.add(place)
    if (!this.#cancelSlow) this.#awaitSlow(this.#options.slowAfter)
    return () => {
      this.#open--
      const wasQuick = this.#quick.delete(place)
      if (!wasQuick) this.#slow--
      if (this.#quick.size > 0) return wasQuick
      this.#cancelSlow?.()
      this.#cancelSlow = undefined
      return wasQuick
    }
  }

  /** Counts the deliveries that take long, with one timer for all. */
  #awaitSlow(ms: number): void {
    this.#cancelSlow = this.#world.after(ms, () => {
      this.#cancelSlow = undefined
      const now = this.#world.now()
      for (const place of this.#quick) {
        const left = place.since + this.#options.slowAfter - now
        if (left > 0) {
          this.#awaitSlow(left)
          break
        }
        this.#quick.delete(place)
        this.#slow++
      }
      this.#options.freed()
    })
  }
}
