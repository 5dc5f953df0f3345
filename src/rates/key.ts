import { createHmac } from 'node:crypto'
import type { Need } from '../privacy/needs.ts'
import { defaultNeeds } from '../privacy/needs.ts'
import type { QuoteRequest } from './adapter.ts'

/** The fields of a customer that may distinguish two questions without naming anybody. */
const impersonal = new Set<Need>([
  'customer.type',
  ...(['billing_address', 'shipping_address'] as const).flatMap((part) =>
    (['country', 'region', 'zipcode', 'city'] as const).map((field): Need => `${part}.${field}`),
  ),
])

/** Fields that an adapter needs and that the cache does not take as its key: who and where exactly. */
export const personalNeeds = (needs: readonly Need[] = defaultNeeds): Need[] =>
  needs.filter((need) => !impersonal.has(need))

/** What no equal question has in common: left out of what an adapter is asked whose answers are kept. */
export function withoutMoment<R extends Pick<QuoteRequest<never>, 'quote' | 'checkout_id'>>(request: R): R {
  const { id: _id, created_at: _created, updated_at: _updated, ...quote } = request.quote
  return { ...request, checkout_id: undefined, quote }
}

/**
 * One key for all equal questions. `parts` are exactly what the adapter is asked with, so nothing it could see is missing; an
 * HMAC, so that the keys of a process reveal nothing.
 */
export const questionKey = (secret: string, parts: unknown): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64')
