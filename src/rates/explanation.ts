import type { WireShipmentMethod } from '../contract/index.ts'
import type { Parcels } from './parcels.ts'

/** Where an adapter's answer came from. `off`: it does not cache. `joined`: an equal question was under way. */
export type CacheState = 'off' | 'miss' | 'hit' | 'joined' | 'stale'

export interface LeftOut {
  /** Which of the adapter's methods, counted from 1. */
  place: number
  id?: string | number
  reason: string
}

/** What became of one adapter's part of an answer. Never a value that a shopper typed. */
export interface AdapterExplanation {
  adapter: string
  /** How long it took, in milliseconds. */
  ms: number
  cache: CacheState
  /** `skipped`: left alone after failing again and again, for this shop or for several. */
  result: 'methods' | 'none' | 'failed' | 'skipped'
  /** Why there is none, why it failed or was skipped. */
  reason?: string
  /** What it offered and the answer holds. */
  methods: readonly WireShipmentMethod[]
  leftOut: readonly LeftOut[]
  /** What the adapter said of how it decided. */
  notes: readonly string[]
  /** The weights it converted and the parcels it counted. */
  parcels: readonly Parcels[]
}

/** Why each rate is, or is not, in one answer. */
export interface RatesExplanation {
  asked: 'checkout' | 'estimate'
  ms: number
  adapters: AdapterExplanation[]
  /** The shop's fallback rates were answered, because nothing else was left. */
  fallback: boolean
  /** The answer. */
  methods: WireShipmentMethod[]
}
