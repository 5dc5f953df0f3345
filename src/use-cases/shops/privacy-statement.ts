import type { Need } from '../../privacy/needs.ts'
import { defaultNeeds } from '../../privacy/needs.ts'
import type { Shop } from '../../shops/shop.ts'
import type { Workings } from '../workings.ts'

const day = 24 * 3_600_000

/** Which personal data a provider sees and keeps: what the merchant's privacy policy reflects (spec 1). */
export interface PrivacyStatement {
  shop: string
  adapters: AdapterPrivacy[]
  /** What is kept by the provider itself, and for how many days. */
  kept: { what: string; days: number }[]
  never: string[]
}

export interface AdapterPrivacy {
  adapter: string
  purpose: string
  /** Who gets the fields beside the provider itself; not set where the adapter does not say. */
  recipient: string | undefined
  /** How long the recipient keeps them, where the adapter says so. */
  keptFor: string | undefined
  /** Such as `customer.email`. */
  fields: readonly Need[]
  /** What it may call inside the provider's own network, such as `10.0.3.0/24`. */
  privateNetwork: readonly string[]
}

/** Put together from what the adapters declare, and from nothing else. */
export function privacyStatement(workings: Workings, shop: Shop): PrivacyStatement {
  const { rates, payments } = workings
  const describe = (adapters: Workings['rates'] | Workings['payments'], purpose: string) =>
    adapters.map(
      ({ name, needs, privacy, network }): AdapterPrivacy => ({
        adapter: name,
        purpose: privacy?.purpose ?? purpose,
        recipient: privacy?.recipient,
        keptFor: privacy?.keptFor,
        fields: needs ?? defaultNeeds,
        privateNetwork: network?.allow ?? [],
      }),
    )
  const kept = [
    {
      what: 'order id and number, amount, currency, payment method, what became of the payment, and the two addresses of the shop that belong to it',
      days: Math.round(workings.retention / day),
    },
    { what: "calls of the shop's webhook_url, with the first 10 KB of each answer", days: 30 },
    {
      what: 'who changed the shop, or a payment by hand, and when: the audit trail, with order ids and amounts',
      days: Math.round(workings.retention / day),
    },
    {
      what: 'which pushes a payment service sent, without their contents once they are processed',
      days: 30,
    },
  ]
  return {
    shop: shop.id,
    adapters: [
      ...describe(rates, 'to quote shipping methods'),
      ...describe(payments, 'to offer and take payments'),
    ],
    kept: payments.length > 0 ? kept : [],
    never: [
      'the password of the customer, which is dropped while a message is read',
      'any field of a customer or an address that no adapter declares',
      'names, e-mail addresses and streets in logs',
    ],
  }
}
