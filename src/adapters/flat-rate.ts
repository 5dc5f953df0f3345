import { z } from 'zod'
import { decimal } from '../money/index.ts'
import { none, type RateAdapter } from '../rates/adapter.ts'
import {
  adapterName,
  amount,
  countries,
  givenPrice,
  onePrice,
  onePriceError,
  priceOptions,
  text,
} from './options.ts'
import { type OptionsOf, type SettingsOption, shopOptions } from './shop-options.ts'

const options = z
  .strictObject({
    id: z.string().min(1).max(128),
    title: text,
    description: text.optional(),
    ...priceOptions,
    /** Default: everywhere. */
    countries: countries.optional(),
    /** Free from this value of the quote on, with tax. */
    freeFrom: amount.optional(),
    is_pickup: z.boolean().default(false),
    is_servicepoint: z.boolean().default(false),
    is_cash_on_delivery: z.boolean().default(false),
    /** Default: the id. */
    name: adapterName.optional(),
  })
  .refine(onePrice, onePriceError)

/**
 * Options of `flatRate`. Give `excl` or `incl`, never both. Each value, except `id` and `name`, may be a function of the shop's settings.
 */
export type FlatRateOptions<S = unknown> = OptionsOf<Omit<z.input<typeof options>, 'id' | 'name'>, S> &
  Pick<z.input<typeof options>, 'id' | 'name'> &
  SettingsOption<S>

/** One method at one price. Throws `CONFIGURATION_INVALID` for wrong options. */
export function flatRate<S = unknown>(given: FlatRateOptions<S>): RateAdapter<'shipping_address.country', S> {
  const { options: ofShop, schema } = shopOptions('flatRate', options, given)
  return {
    name: given.name ?? given.id.replace(/[^a-z0-9_-]+/gi, '-').slice(0, 40),
    needs: ['shipping_address.country'],
    estimate: 'quote',
    settings: schema.settings as z.ZodType<S> | undefined,
    settingsName: schema.settingsName,
    quote({ shipping_address, quote, shop }, ctx) {
      const { name: _, countries: to, freeFrom, excl, incl, taxRate, ...method } = ofShop.of(ctx)
      const { country } = shipping_address
      if (to && !(country && to.includes(country)))
        return none(`not to ${country ?? 'a destination without country'}`)
      const free = freeFrom !== undefined && decimal(quote.price_incl).gte(freeFrom)
      const prices = free
        ? givenPrice({ excl: 0, taxRate, currency: method.currency }, shop.currency)
        : givenPrice({ excl, incl, taxRate, currency: method.currency }, shop.currency)
      return [{ ...method, ...prices }]
    },
  }
}
