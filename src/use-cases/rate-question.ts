import {
  cleanBody,
  isRateEstimate,
  readMessage,
  shipmentEstimateReader,
  shipmentMethodsReader,
} from '../contract/index.ts'
import { neededFields } from '../privacy/needs.ts'
import type { RateQuestion } from '../rates/adapter.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import { defaultShopId, newShop } from '../shops/shop.ts'
import type { Provider } from './provider.ts'
import { quoteRates } from './quote-rates.ts'
import { unknownShop } from './shop-problem.ts'

/** Makes the function that reads a body, or throws `BODY_INVALID`. What no adapter declared is not even read. */
export function rateQuestionReader(provider: Provider, timeZone: string): (body: unknown) => RateQuestion {
  const reader = shipmentMethodsReader(timeZone, neededFields(provider.rates))
  return (body) =>
    isRateEstimate(body)
      ? { estimate: readMessage(shipmentEstimateReader, body) }
      : { request: readMessage(reader, body) }
}

/** Answers a body as the platform would send it, and tells why each method is in or out. */
export async function explainRates(
  provider: Provider,
  body: unknown,
  { timeZone, shopId }: { timeZone: string; shopId: string | undefined },
): Promise<RatesExplanation> {
  const given = structuredClone(body)
  cleanBody(given)
  const question = rateQuestionReader(provider, timeZone)(given)
  // Without a shop nothing is looked up: a tariff is tried before there is a store.
  const shop = shopId === undefined ? newShop(defaultShopId) : await provider.store.shop(shopId)
  if (!shop) throw unknownShop(shopId!)
  return quoteRates(provider, shop, question)
}
