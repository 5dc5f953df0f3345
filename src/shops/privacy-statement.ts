import { defaultNeeds, type Need } from '../adapters/call-adapter.ts'
import { withFallbacks } from '../any-adapter.ts'
import type { Parts } from '../parts.ts'
import type { Shop } from './shop.ts'

const day = 24 * 3_600_000

/** The personal data that a provider sees and keeps, for the merchant's privacy policy (spec 1). */
export interface PrivacyStatement {
  shop: string
  adapters: AdapterPrivacy[]
  /** Resources whose records the platform sends in full when they change, such as `orders`. */
  resources: readonly string[]
  /** The data that the provider itself keeps, and for how many days. */
  kept: { what: string; days: number }[]
  never: string[]
}

/** The personal data that one adapter gets, for the privacy statement. */
export interface AdapterPrivacy {
  adapter: string
  purpose: string
  /** The recipient of the fields, or the hosts that they go to; not set if the adapter names none. */
  recipient: string | undefined
  /** How long the recipient keeps them, if the adapter says so. */
  keptFor: string | undefined
  /** Such as `customer.email`. */
  fields: readonly Need[]
  /** The private addresses that it may call, such as `10.0.3.0/24`. */
  privateNetwork: readonly string[]
}

/** Built only from the adapters' declarations. */
export function privacyStatement(
  workings: Parts<'rates' | 'payments' | 'resourceHandlers' | 'retention'>,
  shop: Shop,
): PrivacyStatement {
  const { rates, payments, resourceHandlers, retention } = workings
  const describe = (adapters: (typeof rates | typeof payments)['adapters'], purpose: string) =>
    adapters.map(
      ({ name, needs, privacy, network, ...rest }): AdapterPrivacy => ({
        adapter: name,
        purpose: privacy?.purpose ?? purpose,
        recipient: privacy?.recipient ?? (('sendsTo' in rest && rest.sendsTo?.join(', ')) || undefined),
        keptFor: privacy?.keptFor,
        fields: needs ?? defaultNeeds,
        privateNetwork: network?.allow ?? [],
      }),
    )
  const days = Math.round(retention / day)
  const payment =
    'order id and number, amount, currency, payment method, the history of the payment, and its two addresses of the shop'
  const trail =
    'who changed the shop, or a payment by hand, and when: the audit trail, with order ids and amounts'
  const kept = [
    { what: payment, days },
    { what: "calls of the shop's webhook_url, with the first 10 KB of each answer", days: 30 },
    { what: trail, days },
    { what: 'the pushes of a payment service, without their contents once they are processed', days: 30 },
  ]
  const handled = Object.keys(resourceHandlers)
  const changed = `that a record of the shop changed (${handled.join(', ')})`
  const events = { what: `${changed}, and its contents until the change is handled`, days: 30 }
  return {
    shop: shop.id,
    resources: handled,
    adapters: [
      ...describe(withFallbacks(rates.adapters), 'to quote shipping methods'),
      ...describe(payments.adapters, 'to offer and take payments'),
    ],
    kept: [...(payments.adapters.length > 0 ? kept : []), ...(handled.length > 0 ? [events] : [])],
    never: [
      'the password of the customer, which is dropped while a message is read',
      `any field of a customer or an address that no adapter declares${handled.length > 0 ? ', in calls of the checkout' : ''}`,
      'names, e-mail addresses and streets in logs',
    ],
  }
}
