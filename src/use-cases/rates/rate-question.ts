import { roundTotal, shipmentMessage } from '../../contract/drift.ts'
import {
  cleanBody,
  isRateEstimate,
  readMessage,
  shipmentEstimateReader,
  shipmentMethodsReader,
} from '../../contract/index.ts'
import { neededFields } from '../../privacy/needs.ts'
import type { RateQuestion } from '../../rates/adapter.ts'
import type { RatesExplanation } from '../../rates/explanation.ts'
import { defaultShopId, newShop } from '../../shops/shop.ts'
import { OpenedSettings } from '../shops/opened-settings.ts'
import { unknownShop } from '../shops/shop-view.ts'
import { type Workings, withFallbacks } from '../workings.ts'
import { quoteRates } from './quote-rates.ts'

/** Creates the function that reads a body, or throws `BODY_INVALID`. Fields that no adapter declares are not read. */
export function rateQuestionReader(workings: Workings): (body: unknown) => RateQuestion {
  const reader = shipmentMethodsReader(neededFields(withFallbacks(workings.rates)))
  return (body) =>
    isRateEstimate(body)
      ? { estimate: readMessage(shipmentEstimateReader, body) }
      : { request: readMessage(reader, body) }
}

/** Answers a body of the platform, and explains why each method is in or out. */
export async function explainRates(
  workings: Workings,
  body: unknown,
  { shopId }: { shopId: string | undefined },
): Promise<RatesExplanation> {
  const given = structuredClone(body)
  cleanBody(given)
  const question = rateQuestionReader(workings)(given)
  roundTotal(question)
  // Without a shop nothing is looked up, so that a tariff can be tried without a store.
  const shop = shopId === undefined ? newShop(defaultShopId) : await workings.store.shop(shopId)
  if (!shop) throw unknownShop(shopId!)
  const settings = shopId === undefined ? new OpenedSettings(undefined, {}) : undefined
  const explanation = await quoteRates(workings, shop, question, settings, true)
  return { ...explanation, lost: workings.memory.drift.lostIn(shipmentMessage(given), given) }
}
