import type { Need, PersonalData } from '../../adapters/needs.ts'
import type { AnyRateAdapter } from '../../any-adapter.ts'
import type { Parts } from '../../parts.ts'
import type { Shop } from '../../shops/shop.ts'
import { asQuoteRequest, type InnerQuestion, type RateContext, type RateQuestion } from '../adapter.ts'
import { questionKey, withOneZipcode, withoutMoment } from '../key.ts'

/** The request that one adapter gets, and the key that equal ones share. */
export interface AdapterQuestion {
  call: 'quote' | 'estimate'
  /** Of the destination, if the adapter needs it. */
  country: string | undefined
  request: object
  /** Without it the adapter is called every time. */
  key: ((ctx: () => RateContext) => string) | undefined
}

/** The question to one adapter; `undefined` if it takes no part in this one. `name` is its name in the key. */
export function questionFor(
  { rates }: Parts<'rates'>,
  { adapter, name }: { adapter: AnyRateAdapter; name: string },
  question: RateQuestion | InnerQuestion,
  { id, settingsVersion }: Shop,
): AdapterQuestion | undefined {
  const { estimate, cache } = adapter
  const { secret } = rates.memory
  // Created on first use: most adapters cache nothing.
  const keyed = (...parts: unknown[]) => questionKey(secret, [name, id, settingsVersion, ...parts])

  if ('estimate' in question && typeof estimate === 'function') {
    const request = cache ? withoutMoment(question.estimate) : question.estimate
    return {
      call: 'estimate',
      country: request.shipping_address.country,
      request,
      key: cache && (() => keyed('estimate', withOneZipcode(request))),
    }
  }
  if ('estimate' in question && estimate !== 'quote') return undefined
  const whole =
    'estimate' in question
      ? asQuoteRequest(adapter, question.estimate)
      : rates.cuts.of(adapter)('request' in question ? question.request : question.quote)
  const request = cache ? withoutMoment(whole) : whole
  return {
    call: 'quote',
    country: (request.shipping_address as { country?: string }).country,
    request,
    key:
      cache &&
      ((ctx) => {
        const asked = withOneZipcode(request)
        return cache.key
          ? keyed('own', asked.shop, String(cache.key(asked, ctx())))
          : keyed('quote', partsOf(asked))
      }),
  }
}

/** Drops missing fields, so that cart and checkout share a cache key. */
const partsOf = (request: PersonalData<Need> & { shop: object; quote: object }) => [
  request.shop,
  said(request.customer),
  said(request.billing_address),
  said(request.shipping_address),
  request.quote,
]

const said = (part: object) =>
  Object.entries(part)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
