import { z } from 'zod'
import type { OfferedShipmentMethod } from '../../adapters/offered-methods.ts'
import type { Decimal } from '../../money/index.ts'
import { none, type RateAdapter } from '../adapter.ts'
import {
  adapterName,
  amount,
  countries,
  type GivenPrice,
  givenPrice,
  hasReached,
  priceOptions,
  text,
} from '../options.ts'
import {
  type OfSettings,
  type OptionsOf,
  type SchemaOf,
  type SettingsOption,
  shopOptions,
} from '../shop-options.ts'

/** Options of `flatRate`, with `excl` or `incl`. Each value but `id` and `name` may be a function of the shop's settings. */
export interface FlatRateOptions<S = unknown> extends SettingsOption<S>, OptionsOf<Offered, S> {
  /** The id of the method, 1 to 128 characters: the same every time. */
  id: string
  /** Codes of two letters, such as `['nl', 'be']`. Default: everywhere. */
  countries?: OfSettings<string[] | undefined, S>
  /** Free from this value of the quote on, with tax, in the shop's currency. Default: never. */
  freeFrom?: OfSettings<Decimal | number | undefined, S>
  /** The name of the adapter: letters, digits, `-` and `_`. Default: the id. */
  name?: string
}

type Flag = 'is_pickup' | 'is_servicepoint' | 'is_cash_on_delivery'
type Offered = GivenPrice & Pick<OfferedShipmentMethod, 'title' | 'description' | Flag>

const options = z
  .strictObject({
    id: z.string().min(1).max(128),
    title: text,
    description: text.optional(),
    ...priceOptions,
    countries: countries.optional(),
    freeFrom: amount.optional(),
    is_pickup: z.boolean().default(false),
    is_servicepoint: z.boolean().default(false),
    is_cash_on_delivery: z.boolean().default(false),
    name: adapterName.optional(),
  } satisfies SchemaOf<FlatRateOptions>)
  .refine(({ excl, incl }) => (excl === undefined) !== (incl === undefined), 'give either excl or incl')

/** One method at one price. Throws `CONFIGURATION_INVALID` for wrong options. */
export function flatRate<S = unknown>(given: FlatRateOptions<S>): RateAdapter<'shipping_address.country', S> {
  const { options: ofShop, schema } = shopOptions('flatRate', options, given)
  return {
    name: given.name ?? given.id.replace(/[^a-z0-9_-]+/gi, '-').slice(0, 40),
    needs: ['shipping_address.country'],
    estimate: 'quote',
    ...schema,
    quote({ shipping_address, quote, shop }, ctx) {
      const { name: _, countries: to, freeFrom, excl, incl, taxRate, ...method } = ofShop.of(ctx)
      const { country } = shipping_address
      if (to && !(country && to.includes(country)))
        return none(`not to ${country ?? 'a destination without country'}`)
      const free = freeFrom !== undefined && hasReached({ quote, shop }, freeFrom)
      const side = free ? { excl: 0 } : { excl, incl }
      const prices = givenPrice({ ...side, taxRate, currency: method.currency }, shop.currency)
      return [{ ...method, ...prices }]
    },
  }
}
