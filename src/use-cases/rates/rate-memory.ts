import type { AdapterExplanation } from '../../rates/explanation.ts'
import type { World } from '../../world.ts'
import { RateBreakers } from './rate-breakers.ts'
import { RateCache } from './rate-cache.ts'

/** What an adapter answered, checked. Kept by the cache as it is. */
export type Outcome = Omit<AdapterExplanation, 'ms' | 'cache'>

/** What is remembered of how the rate adapters of one provider answered. */
export class RateMemory {
  readonly cache = new RateCache<Outcome>()
  readonly breakers: RateBreakers
  /** For the keys of this process. */
  readonly secret: string

  constructor(world: World) {
    this.breakers = new RateBreakers(world)
    this.secret = world.token(32)
  }
}
