import { ContentSeal } from '../payments/content-seal.ts'
import { PageTokens } from '../payments/page-tokens.ts'
import { Memory } from './memory.ts'
import { ServiceCalls } from './payments/service-calls.ts'
import { defaultDeadlines, defaultRating, defaultRetention, type Workings } from './workings.ts'

/** The members without a default. */
type Required = Pick<Workings, 'world' | 'store' | 'seal' | 'pushUrl'>

/** Creates workings with a memory of their own and defaults for missing members. */
export function newWorkings(given: Required & Partial<Omit<Workings, 'memory'>>): Workings {
  return {
    rates: [],
    rating: defaultRating,
    payments: [],
    publicUrl: '',
    deadlines: defaultDeadlines,
    development: false,
    pages: new PageTokens(),
    contents: new ContentSeal(),
    retention: defaultRetention,
    wake() {},
    serviceCalls: new ServiceCalls(),
    memory: new Memory(given.world),
    ...given,
  }
}
