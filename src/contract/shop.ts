import { z } from 'zod'
import { currencyCode, id, languageCode, optional, required, wire, withDefault } from './values.ts'

/** spec 2.4 shop */
export const shop = z
  .object({ id: wire.id, language: wire.language, currency: wire.currency })
  .meta({ id: 'Shop', description: 'The shop in whose checkout the call is made.' })

/** A shop as adapters see it. `language` is two lower-case letters, `en` when the platform sends none. */
export const shopReader = z.object({
  id: optional(id),
  language: withDefault(languageCode, 'en'),
  currency: required(currencyCode),
})

/** The shop that a message names: its id on the platform, and the language and currency of the customer. */
export type ShopDetails = z.output<typeof shopReader>
