import type { PaymentStatus } from '../contract/index.ts'
import type { Need } from '../privacy/needs.ts'
import type { World } from '../world.ts'
import { Starts } from './payments/starts.ts'
import { RateMemory } from './rates/rate-memory.ts'
import type { OpenedSettings } from './shops/opened-settings.ts'

export interface Needing {
  needs?: readonly Need[]
}

// biome-ignore lint/suspicious/noExplicitAny: what is left is what the adapter's own type parameter says
export type Cut = (message: object) => any

/** What a provider remembers between calls. It belongs to the workings of one process: no other process knows of it, nor the next one. */
export class Memory {
  /** By shop, with the version that they were opened at. */
  readonly settings = new Map<string, { version: number; settings: OpenedSettings }>()
  readonly cuts = new Map<Needing, Cut>()
  readonly starts = new Starts()
  /** Reads of a status that are under way, by attempt. */
  readonly statusReads = new Map<string, Promise<PaymentStatus>>()
  /** Shops and their hosts that the store has noted. */
  readonly notedHosts = new Set<string>()
  /** The adapters that blocked the event loop, with when they did last. */
  readonly blocking = new Map<string, number>()
  readonly #world: World
  #rates: RateMemory | undefined

  constructor(world: World) {
    this.#world = world
  }

  /** Made at the first question: a provider without rates needs none. */
  get rates(): RateMemory {
    this.#rates ??= new RateMemory(this.#world)
    return this.#rates
  }
}
