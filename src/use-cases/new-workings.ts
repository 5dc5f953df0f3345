import { ContentSeal, PageTokens } from '../payments/page-tokens.ts'
import { Memory } from './memory.ts'
import { ServiceCalls } from './payments/service-failures.ts'
import { defaultDeadlines, defaultRating, defaultRetention, type Images, type Workings } from './workings.ts'

/** The members without a default. */
type Required = Pick<Workings, 'world' | 'store' | 'seal' | 'pushUrl'>

/** Tools without pages show no images. */
const noImages: Images = {
  fetch: async () => undefined,
  shown: async () => undefined,
  holds: () => false,
  file: async () => undefined,
}

/** Creates workings with a memory of their own and defaults for missing members. */
export function newWorkings(given: Required & Partial<Omit<Workings, 'memory'>>): Workings {
  return {
    rates: [],
    rating: defaultRating,
    payments: [],
    publicUrl: '',
    deadlines: defaultDeadlines,
    development: false,
    brand: {},
    texts: {},
    images: noImages,
    pages: new PageTokens(),
    contents: new ContentSeal(),
    retention: defaultRetention,
    wake() {},
    serviceCalls: new ServiceCalls(),
    memory: new Memory(given.world),
    resourceHandlers: {},
    ...given,
  }
}
