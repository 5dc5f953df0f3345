import type { PaymentStatus } from '../contract/index.ts'
import { Starts } from './payments/starts.ts'
import type { Cut, Needing } from './personal-data.ts'
import type { RateAdapters } from './rates/ask-rate-adapter.ts'
import type { RememberedSettings } from './shops/shop-settings.ts'

/** What a provider remembers between calls. It belongs to the workings of one process; another process, and the next one, know nothing of it. */
export class Memory {
  readonly settings = new Map<string, RememberedSettings>()
  readonly cuts = new Map<Needing, Cut>()
  readonly starts = new Starts()
  /** Reads of a status that are under way, by attempt. */
  readonly statusReads = new Map<string, Promise<PaymentStatus>>()
  /** Shops and their hosts that the store has noted. */
  readonly notedHosts = new Set<string>()
  /** The adapters that blocked the event loop, with when they did last. */
  readonly blocking = new Map<string, number>()
  readonly #makeRateAdapters: () => RateAdapters
  #rateAdapters: RateAdapters | undefined

  constructor(makeRateAdapters: () => RateAdapters) {
    this.#makeRateAdapters = makeRateAdapters
  }

  /** Made at the first question: a provider without rates needs none. */
  get rateAdapters(): RateAdapters {
    this.#rateAdapters ??= this.#makeRateAdapters()
    return this.#rateAdapters
  }
}
