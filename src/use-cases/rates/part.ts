import type { InnerQuestion, RateQuestion } from '../../rates/adapter.ts'
import type { Audience } from '../../rates/check.ts'
import type { Shop } from '../../shops/shop.ts'
import type { Deadline } from '../call-adapter.ts'
import type { OpenedSettings } from '../shops/opened-settings.ts'
import type { AnyRateAdapter } from '../workings.ts'

/** An adapter that another one holds failed or was skipped: the message says which and why. It is logged and counted already. */
export class InnerFailed extends Error {
  override readonly name = 'InnerFailed'
}

/** The part of one adapter in an answer. */
export interface Part {
  adapter: AnyRateAdapter
  /** Its name in metrics, breakers and explanations: `carrier`, or `both/carrier` for one that `both` holds. */
  name: string
  shop: Shop
  opened: OpenedSettings
  /** Those of the adapter or its fallback. Throws if they do not match its schema. */
  settings: (adapter: AnyRateAdapter) => unknown
  audience: Audience
  /** How long it may take, in milliseconds. */
  ms: number
  /** That of the whole answer. Without it the part has one of its own. */
  deadline?: Deadline
  question: RateQuestion | InnerQuestion
  /** Whether the explanation repeats the adapter's own words, which may hold what a customer typed. */
  ownWords: boolean
  /** Whether another adapter holds it, which hands on its methods. They are checked there. */
  isInner: boolean
}
