import { createHmac } from 'node:crypto'
import { defaultNeeds, type Need } from '../adapters/needs.ts'
import type { QuoteRequest } from './adapter.ts'
import { oneZipcode } from './zipcodes/zipcode.ts'

/** The fields of a customer that may distinguish two requests without identifying a person. */
const impersonal = new Set<Need>([
  'customer.type',
  ...(['billing_address', 'shipping_address'] as const).flatMap((part) =>
    (['country', 'region', 'zipcode', 'city'] as const).map((field): Need => `${part}.${field}`),
  ),
])

/** Fields that an adapter needs and that are never part of the cache key: the person and the exact address. */
export const personalNeeds = (needs: readonly Need[] = defaultNeeds): Need[] =>
  needs.filter((need) => !impersonal.has(need))

/** Fields that differ in every request: left out of requests to adapters with a cache. */
export function withoutMoment<R extends Pick<QuoteRequest<never>, 'quote' | 'checkout_id'>>(request: R): R {
  const { id: _id, created_at: _created, updated_at: _updated, ...quote } = request.quote
  return { ...request, checkout_id: undefined, quote }
}

/** A request with its zipcodes in one way to write them: `1016 gv` is `1016GV`. */
export const withOneZipcode = <R extends object>(request: R): R =>
  Object.fromEntries(
    Object.entries(request).map(([name, part]) => [
      name,
      part?.zipcode ? { ...part, zipcode: oneZipcode(part.country, part.zipcode) } : part,
    ]),
  ) as R

/** One key for all equal requests: an HMAC of exactly the adapter's input, so that the keys of a process reveal nothing. */
export const questionKey = (secret: string, parts: unknown): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64')
