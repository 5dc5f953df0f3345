import { z } from 'zod'
import type { RatesExplanation } from '../rates/explanation.ts'
import { checkOptions, optionGroup } from '../use-cases/option-faults.ts'
import { explainRates } from '../use-cases/rates/rate-question.ts'
import { unlockStore } from '../use-cases/shops/unlock-store.ts'
import type { Workings } from '../use-cases/workings.ts'
import type { Assembled } from './assemble.ts'
import type { Lifecycle } from './lifecycle.ts'

const explainOptions = optionGroup({ shop: z.string('must be text').optional() })

/** Explains a body of `shipment_methods`, by default with the workings of the provider. */
export type Explain = (body: unknown, options: { shop?: string }, of?: Workings) => Promise<RatesExplanation>

/** The `rates.explain` of a provider. A store is opened only for a shop. */
export const explainOf =
  ({ workings }: Assembled, life: Lifecycle): Explain =>
  async (body, options, of = workings) => {
    checkOptions('rates.explain()', explainOptions, options)
    const { shop } = options
    await life.prepare()
    if (shop !== undefined) await unlockStore(workings)
    return explainRates(of, body, { shopId: shop })
  }
