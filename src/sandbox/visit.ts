import type { Destination } from '../messages/people.ts'
import type { CheckoutParts } from './checkout.ts'

/** A customer's way through a shop, before it is a checkout. */
export interface Visit extends Omit<CheckoutParts, 'id' | 'shipmentMethods' | 'paymentMethods' | 'place'> {
  ownPayment?: boolean | undefined
}

/** The parts of a call that name the shop and the cart, and a key that is equal for equal questions. */
export function sentBy({
  id,
  shop,
  language,
  currency,
  lines,
  address: { country, zipcode },
}: Pick<Visit, 'shop' | 'language' | 'currency' | 'lines'> & { id: number; address: Destination }) {
  const cart = lines.map(({ productId, quantity, price_incl }) => `${productId}x${quantity}=${price_incl}`)
  return {
    named: { id: shop, language, currency },
    quote: { id, currency, lines },
    key: `${shop} ${language} ${country} ${zipcode} ${currency} ${cart.join()}`,
  }
}
