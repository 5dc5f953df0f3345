import type { QuoteWithFacts } from '../../adapters/product-facts.ts'
import { NotQuotable } from '../../adapters/status-cause.ts'
import type { Units } from '../../adapters/units.ts'
import { PurveyorError } from '../../errors/errors.ts'
import { MeasuredCart } from './measured-cart.ts'
import type { Parcels } from './packing.ts'
import { type ParcelRules, ruleFaults } from './parcel-rules.ts'

export { NotQuotable } from '../../adapters/status-cause.ts'
export type { VolumetricUnit } from '../../adapters/units.ts'
export type { Parcel, Parcels, UnknownFigure } from './packing.ts'
export type { ParcelRules } from './parcel-rules.ts'

/**
 * Computes the parcels that the carrier would measure. Products are never divided; a cart without products is divided into parcels of equal
 * weight. Throws `SETTINGS_MISSING` when the shop's units are not stated, `CONFIGURATION_INVALID` for rules that conflict, and
 * `NotQuotable` for a cart that has no weight or does not fit.
 */
export function parcelsOf(quote: QuoteWithFacts, units: Units, rules: ParcelRules): Parcels {
  if (quote.weight === undefined) throw new NotQuotable('the quote has no weight')
  sensible('weight', quote.weight)
  sensible('volume', quote.volume ?? 0)
  sensible('colli', quote.colli ?? 0)
  refuseConflicts(rules)
  return new MeasuredCart(quote, units, rules).parcels()
}

function refuseConflicts(rules: ParcelRules): void {
  const faults = ruleFaults(rules).map(({ at, message }) => ({ path: at, message }))
  if (faults.length === 0) return
  const listed = faults.map(({ path, message }) => `${path} ${message}`)
  throw new PurveyorError('CONFIGURATION_INVALID', `The rules of parcels: ${listed.join(', ')}`, { faults })
}

/** No larger figure is exact. */
const tooLarge = 1e15

/** A wrong figure of the shop is not a failure of the adapter. */
function sensible(what: string, amount: number): void {
  if (typeof amount !== 'number' || !(amount >= 0 && amount < tooLarge))
    throw new NotQuotable(`quote.${what} is negative or too large`)
}
