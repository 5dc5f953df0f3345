import { Cuts } from '../adapters/call-adapter.ts'
import {
  type AnyPaymentAdapter,
  type AnyRateAdapter,
  type Deadlines,
  type Images,
  type Rating,
  withFallbacks,
} from '../any-adapter.ts'
import type { Workings } from '../parts.ts'
import { Addresses, PageTokens } from '../payments/addresses.ts'
import { PaymentMemory } from '../payments/payment-memory.ts'
import { RateMemory } from '../rates/asking/rate-memory.ts'
import { DriftNotes } from '../shops/drift.ts'
import { ContentSeal } from '../shops/seal.ts'
import { SettingsOfShops } from '../shops/shop-settings.ts'

type Given = Pick<Workings, 'world' | 'store' | 'seal'>

type Others = Omit<Workings, 'rates' | 'payments' | 'addresses' | 'settings' | 'drift' | keyof Given>

interface Options extends Given, Partial<Others> {
  rates?: readonly AnyRateAdapter[]
  rating?: Rating
  payments?: readonly AnyPaymentAdapter[]
  deadlines?: Partial<Deadlines>
  publicUrl?: string
  pages?: PageTokens
  issued?: Addresses['issued']
}

/** Puts the inside of a provider together, with a memory of its own. */
export function newWorkings({ world, store, seal, development = false, ...options }: Options): Workings {
  const { rates = [], payments = [], rating = defaultRating, publicUrl = '', ...others } = options
  const { pages = new PageTokens(), issued = () => {}, deadlines: given, ...parts } = others
  const deadlines = { ...defaultDeadlines, ...given }
  return {
    contents: new ContentSeal(),
    brand: {},
    texts: {},
    images: noImages,
    retention: defaultRetention,
    resourceHandlers: {},
    wake() {},
    ...parts,
    ...{ world, store, seal, development },
    rates: {
      ...{ adapters: rates, rating, deadline: deadlines.rates, development },
      cuts: new Cuts(withFallbacks(rates)),
      memory: new RateMemory(world),
    },
    payments: {
      ...{ adapters: payments, deadlines, development },
      cuts: new Cuts(payments),
      memory: new PaymentMemory(world),
    },
    addresses: new Addresses({ world, store, seal }, { publicUrl, pages, issued }),
    settings: new SettingsOfShops(seal),
    drift: new DriftNotes(),
  }
}

export const defaultRating: Rating = {
  units: () => ({}),
  fallback: () => [],
  onNothing: 'empty',
  convert: undefined,
}

/** Two years, in milliseconds: longer than payments are disputed. */
const defaultRetention = 730 * 24 * 3_600_000

export const defaultDeadlines: Deadlines = {
  rates: 2500,
  methods: 2500,
  start: 4000,
  status: 2000,
  page: 2500,
}

/** Tools without pages show no images. */
const noImages: Images = {
  fetch: async () => undefined,
  shown: async () => undefined,
  holds: () => false,
  file: async () => undefined,
}
