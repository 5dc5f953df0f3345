import { z } from 'zod'
import { isCountry } from '../../adapters/table-rates/cells.ts'
import { languages } from '../../messages/live.ts'
import { addressFields, customerFields, type DeliveryAddress } from '../../messages/options.ts'
import type { Checkout } from '../checkout.ts'
import type { CheckoutFields } from '../pages/checkout.ts'
import type { Faults } from '../pages/fields.ts'
import type { Shop } from '../shop.ts'

export const isLanguage = (given: unknown): given is string =>
  typeof given === 'string' && (languages as readonly string[]).includes(given)

const most = (name: string) =>
  name.endsWith('zipcode') ? 20 : name === 'shipment' || name === 'payment' ? 200 : 100

/**
 * The fields of a checkout that was sent, and the rule that each wrong one breaks. Empty fields are no data. A billing address that differs
 * from the one that the page has `shown` counts, also where nobody checked its box.
 */
export function readCheckoutForm(
  body: unknown,
  shown: CheckoutFields,
): { fields: CheckoutFields; faults?: Faults } {
  const given = Object.entries((body ?? {}) as Record<string, unknown>)
  const fields = Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
  ) as Record<string, string>
  const isTyped = ([name, value]: [string, string]) =>
    name.startsWith('billing_') && value !== (shown[name] ?? '')
  fields.other ??= Object.entries(fields).some(isTyped) ? '1' : ''
  // Those that do not count follow the shipping address when the page is shown again.
  if (!fields.other) for (const name of addressFields) delete fields[`billing_${name}`]
  const faults: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields))
    if (value.length > most(name)) faults[name] = `is text of at most ${most(name)} characters`
  if (fields.email && !z.email().safeParse(fields.email).success)
    faults.email = 'is an address such as noor@customer.example, or empty'
  if (!isCountry(fields.country ?? '')) faults.country = 'is a country of the list'
  if (fields.other && !isCountry(fields.billing_country ?? ''))
    faults.billing_country = 'is a country of the list'
  if (!isLanguage(fields.language)) faults.language = `is one of ${languages.join(', ')}`
  return Object.keys(faults).length > 0 ? { fields, faults } : { fields }
}

const pick = (fields: CheckoutFields, names: readonly string[], prefix = '') =>
  Object.fromEntries(
    names.flatMap((name) => (fields[prefix + name] === undefined ? [] : [[name, fields[prefix + name]]])),
  )

/** A checkout of the shop's own cart, as a form says. */
export function checkoutOf(shop: Shop, fields: CheckoutFields): Checkout {
  const billing = pick(fields, addressFields, 'billing_') as Partial<DeliveryAddress>
  return shop.checkout({
    language: fields.language!,
    customer: filledIn(pick(fields, customerFields)),
    address: filledIn(pick(fields, addressFields)),
    billing: fields.other ? filledIn(billing) : undefined,
  })
}

/** Optional fields that stay empty keep the habits of live platforms, which have several kinds of no data. */
const optional = new Set(['phone', 'company', 'vatnumber', 'cocnumber', 'extension', 'region'])
const filledIn = <T extends object>(part: T): T =>
  Object.fromEntries(Object.entries(part).filter(([name, value]) => value !== '' || !optional.has(name))) as T
