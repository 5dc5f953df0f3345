import { adyen } from './adyen.ts'
import { buckaroo } from './buckaroo.ts'
import { checkoutCom } from './checkout-com.ts'
import { gocardless } from './gocardless.ts'
import { klarna } from './klarna.ts'
import { mollie } from './mollie.ts'
import { payNl } from './pay-nl.ts'
import { paypal } from './paypal.ts'
import type { Sequence } from './sequence.ts'
import { stripeBanks } from './stripe-banks.ts'
import { stripeCards } from './stripe-cards.ts'
import { worldline } from './worldline.ts'

/** The sequences by payment service. */
export const services: Record<string, Sequence[]> = {
  Adyen: adyen,
  Buckaroo: buckaroo,
  'Checkout.com': checkoutCom,
  GoCardless: gocardless,
  Klarna: klarna,
  Mollie: mollie,
  'Pay.nl': payNl,
  PayPal: paypal,
  Stripe: [...stripeCards, ...stripeBanks],
  Worldline: worldline,
}

/** Each sequence with its service and name. */
export const all = Object.entries(services).flatMap(([service, sequences]) =>
  sequences.map((sequence) => [`${service}: ${sequence.name}`, sequence] as const),
)

/** Of an event with two amounts the first stands, so its order matters: without those. */
export const orderly = all.filter(
  ([, { expected }]) => !expected.anomalies.some(([kind]) => kind === 'event_changed'),
)
