import { z } from 'zod'
import { type Decimal, decimal } from '../../money/index.ts'
import {
  none,
  type OfferedShipmentMethod,
  type RateAdapter,
  type RateAnswer,
  type RateContext,
} from '../../rates/adapter.ts'
import type { MaybePromise } from '../../world.ts'
import {
  adapterName,
  amount,
  type GivenPrice,
  givenPrice,
  onePrice,
  onePriceError,
  optionsOf,
  priceOptions,
  text,
} from '../options.ts'
import { PointIndex } from './nearest.ts'
import { type PickupPoint, type Place, readPoints } from './points.ts'

type Destination = { country: string; zipcode: string }
type PointsNear = (destination: Destination, ctx: RateContext) => MaybePromise<readonly PickupPoint[]>
type Locate = (destination: Destination, ctx: RateContext) => MaybePromise<Place | undefined>

const callable = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function')

const options = z
  .strictObject({
    name: adapterName.default('points'),
    /** A CSV or GeoJSON file of all points; its columns are those of `PickupPoint`. */
    file: z.string().min(1).optional(),
    /** Instead of a file: returns the points near a destination, nearest first. */
    points: callable<PointsNear>().optional(),
    /** Returns the place of a destination. Default: the place of the points in the file with the most similar zipcode. */
    locate: callable<Locate>().optional(),
    /** The number of points to offer. */
    nearest: z.number().int().min(1).max(50).default(5),
    /** Points farther away are not offered, in kilometres. */
    within: z.number().positive().optional(),
    /** `servicepoint`: the package is sent there. `pickup`: it is collected at the shop's own place. */
    kind: z.enum(['servicepoint', 'pickup']).default('servicepoint'),
    /** Stands before the name of the point. */
    title: text.optional(),
    ...priceOptions,
    /** Free from this value of the quote on, with tax. */
    freeFrom: amount.optional(),
  })
  .refine(onePrice, onePriceError)
  .refine(({ file, points }) => (file === undefined) !== (points === undefined), {
    error: 'give either file or points',
  })

/** Options of `pickupPoints`. Give `file` or `points`, and `excl` or `incl`. */
export type PickupPointsOptions = z.input<typeof options>

/**
 * Offers the nearest places to collect a package, one method each (spec 2.5 is_pickup, is_servicepoint). Throws
 * `CONFIGURATION_INVALID` for wrong options; a file with faults stops the provider's start with `PICKUP_POINTS_INVALID`.
 */
export function pickupPoints(
  given: PickupPointsOptions,
): RateAdapter<'shipping_address.country' | 'shipping_address.zipcode'> {
  const checked = optionsOf('pickupPoints', options, given)
  const { name, file, points, locate, nearest, within, kind, title, freeFrom, ...prices } = checked
  let loading: Promise<PointIndex> | undefined
  let index: PointIndex | undefined

  function load(): Promise<PointIndex> {
    loading ??= readPoints(file!).then((read) => {
      index = new PointIndex(read)
      return index
    })
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  const { taxRate, currency: own } = prices
  const free = { excl: 0, taxRate, currency: own }
  const pricesOf = (value: Decimal): GivenPrice =>
    freeFrom !== undefined && decimal(value).gte(freeFrom) ? free : prices

  const method = (point: PickupPoint, given: GivenPrice, currency: string): OfferedShipmentMethod => ({
    id: `${name}-${point.id}`,
    title: titled(title, point.name),
    address: addressOf(point),
    ...givenPrice(given, currency),
    currency: given.currency,
    is_pickup: kind === 'pickup',
    is_servicepoint: kind === 'servicepoint',
  })

  async function near(destination: Destination, ctx: RateContext): Promise<PickupPoint[]> {
    if (points) return (await points(destination, ctx)).slice(0, nearest)
    const place = await locate?.(destination, ctx)
    const found = (index ?? (await load())).nearest(nearest, { ...destination, place })
    return found.flatMap(({ point, kilometres }) => {
      if (within !== undefined && kilometres !== undefined && kilometres > within) return []
      if (kilometres !== undefined) ctx.explain(`${point.id}: ${kilometres.toFixed(1)} km away`)
      return point
    })
  }

  return {
    name,
    needs: ['shipping_address.country', 'shipping_address.zipcode'],
    estimate: 'quote',
    prepare: async () => void (file && (await load())),
    async quote({ shipping_address, quote, shop }, ctx): Promise<RateAnswer> {
      const { country, zipcode = '' } = shipping_address
      if (!country) return none('the destination has no country')
      const found = await near({ country, zipcode }, ctx)
      const given = pricesOf(quote.price_incl)
      return found.length > 0
        ? found.map((point) => method(point, given, shop.currency))
        : none(`no point near this zipcode in ${country}`)
    },
  }
}

function titled(before: PickupPointsOptions['title'], name: string): OfferedShipmentMethod['title'] {
  if (before === undefined) return name
  if (typeof before === 'string') return `${before}: ${name}`
  return Object.fromEntries(Object.entries(before).map(([language, said]) => [language, `${said}: ${name}`]))
}

const addressOf = ({ street, number, zipcode, city }: PickupPoint): string =>
  [
    [street, number],
    [zipcode, city],
  ]
    .map((parts) => parts.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ')
