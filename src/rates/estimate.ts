import { type Need, neededFields } from '../privacy/needs.ts'
import type { EstimateRequest, QuoteRequest } from './adapter.ts'

/** A cart's request in the shape of a checkout's, for an adapter that answers both with `quote()`. */
export function asQuoteRequest<N extends Need>(
  adapter: { needs?: readonly N[] },
  { shop, quote, shipping_address }: EstimateRequest,
): QuoteRequest<N> {
  const { shipping_address: fields } = neededFields([adapter])
  const known = Object.entries(shipping_address).filter(([field]) => fields.includes(field))
  const parts = { customer: {}, billing_address: {}, shipping_address: Object.fromEntries(known) }
  return { shop, quote, ...parts } as unknown as QuoteRequest<N>
}
