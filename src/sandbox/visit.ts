import type { Destination } from '../messages/options.ts'
import type { CheckoutParts } from './checkout.ts'

/** A customer's way through a shop, before it is a checkout. */
export interface Visit extends Omit<CheckoutParts, 'id' | 'shipmentMethods' | 'paymentMethods' | 'place'> {
  ownPayment?: boolean | undefined
}

/** A key that is equal for equal questions. */
export function questionOf(
  visit: Pick<Visit, 'shop' | 'language' | 'currency' | 'lines'> & { address: Destination },
): string {
  const { shop, language, currency, lines, address } = visit
  const cart = lines.map(({ productId, quantity, price_incl }) => `${productId}x${quantity}=${price_incl}`)
  return `${shop} ${language} ${address.country} ${address.zipcode} ${currency} ${cart.join()}`
}
