import { z } from 'zod'
import { type Decimal, decimal } from '../../money/index.ts'
import {
  type NoMethods,
  none,
  type OfferedShipmentMethod,
  type RateAdapter,
  type RateAnswer,
  type RateContext,
} from '../../rates/adapter.ts'
import type { LocalText } from '../../rates/local-text.ts'
import { isTimeZone, ZonedTime } from '../../rates/zoned-time.ts'
import { blaming } from '../../use-cases/call-adapter.ts'
import type { MaybePromise } from '../../world.ts'
import type { FileKind } from '../files/watched-file.ts'
import { WatchedFiles } from '../files/watched-files.ts'
import {
  adapterName,
  amount,
  type GivenPrice,
  givenPrice,
  optionsError,
  priceOptions,
  text,
} from '../options.ts'
import { type OfSettings, type SchemaOf, type SettingsOption, shopOptions } from '../shop-options.ts'
import { type FoundPoint, type FoundPoints, readFound } from './found-points.ts'
import { type NearPoint, PointIndex } from './nearest.ts'
import { PointCache } from './point-cache.ts'
import { isClosedForLong, pointText } from './point-text.ts'
import { type PickupPoint, type Place, readPoints } from './points.ts'

/** A point of an API. */
export interface GivenPoint extends PickupPoint {
  /** Its distance in kilometres. Default: not known. */
  kilometres?: number | undefined
}
type Destination = { country: string; zipcode: string }

/** The functions of `pickupPoints`. */
export interface PointFunctions<S> {
  /**
   * Instead of a file: returns the points near a destination, nearest first, or none. Those that all have `kilometres` are sorted by it. A
   * point with a fault is left out.
   */
  points?: (destination: Destination, ctx: RateContext<S>) => MaybePromise<readonly GivenPoint[] | NoMethods>
  /** Caches the answers of `points` for each shop, country and zipcode, until the settings of the shop change. Default: no cache. */
  pointsCache?: {
    /** How long an answer is used, in milliseconds. */
    ttl: number
    /** How much longer it is used while `points` fails, in milliseconds. Default 0. */
    staleFor?: number
  }
  /** Returns the place of a destination. Default, and if it fails: that of the points in the file with the most similar zipcode. */
  locate?: (destination: Destination, ctx: RateContext<S>) => MaybePromise<Place | undefined>
  /** Returns the price of a point. `undefined`: the price of the point itself, or of the options. */
  price?: (point: PickupPoint, ctx: RateContext<S>) => Partial<GivenPrice> | undefined
}

/** Options of `pickupPoints`. Give `file` or `points`. Each value, except `name` and `folder`, may be a function of the shop's settings. */
export interface PickupPointsOptions<S = unknown> extends PointFunctions<S>, SettingsOption<S> {
  /** The name of the adapter: letters, digits, `-` and `_`. Default `points`. */
  name?: string | undefined
  /** A CSV or GeoJSON file of all points; its columns are those of `PickupPoint`. Default: none, with `points`. */
  file?: OfSettings<string | undefined, S>
  /** The folder in which files that a function returns must lie. Default: the working directory. */
  folder?: string | undefined
  /** The number of points to offer, 1 to 50. Default 5. */
  nearest?: OfSettings<number | undefined, S>
  /**
   * Points farther away are not offered, in kilometres. Needs the distance: that of `locate`, or `kilometres` of an API. Default: any
   * distance.
   */
  within?: OfSettings<number | undefined, S>
  /** `servicepoint`: the package is sent there. `pickup`: it is collected at the shop's own place. Default `servicepoint`. */
  kind?: OfSettings<'servicepoint' | 'pickup' | undefined, S>
  /** Stands before the name of the point. Default: nothing. */
  title?: OfSettings<LocalText | undefined, S>
  /** Without tax, in `currency`: a number, or decimal text such as `'4.95'`. Default: computed from `incl`. */
  excl?: OfSettings<Decimal | number | undefined, S>
  /** With tax, in `currency`. Default: computed from `excl`. */
  incl?: OfSettings<Decimal | number | undefined, S>
  /** A fraction: `'0.21'` is 21 %. */
  taxRate: OfSettings<Decimal | number, S>
  /** Three letters such as `eur`. Default: the shop's. */
  currency?: OfSettings<string | undefined, S>
  /** Free from this value of the quote on, with tax, in the shop's currency. Default: never. */
  freeFrom?: OfSettings<Decimal | number | undefined, S>
  /** The time zone of the days on which points are closed. Default `Europe/Amsterdam`. */
  timeZone?: OfSettings<string | undefined, S>
}

const options = z
  .strictObject({
    name: adapterName.default('points'),
    file: z.string().min(1).optional(),
    folder: z.string().min(1).optional(),
    nearest: z.number().int().min(1).max(50).default(5),
    within: z.number().positive().optional(),
    kind: z.enum(['servicepoint', 'pickup']).default('servicepoint'),
    title: text.optional(),
    ...priceOptions,
    freeFrom: amount.optional(),
    timeZone: z
      .string()
      .refine(isTimeZone, 'is not a time zone: write a name such as Europe/Amsterdam')
      .default('Europe/Amsterdam'),
  } satisfies SchemaOf<Omit<PickupPointsOptions, keyof PointFunctions<unknown>>>)
  .refine(({ excl, incl }) => excl === undefined || incl === undefined, { error: 'give either excl or incl' })
  .transform(({ timeZone, ...given }) => ({ ...given, time: new ZonedTime(timeZone) }))
type Options = z.output<typeof options>

/**
 * Offers the nearest places to collect a package, one method each (spec 2.5 is_pickup, is_servicepoint). Throws
 * `CONFIGURATION_INVALID` for wrong options; a file with faults stops the provider's start with `PICKUP_POINTS_INVALID`.
 */
export function pickupPoints<S = unknown>({
  points,
  pointsCache,
  locate,
  price,
  ...given
}: PickupPointsOptions<S>): RateAdapter<'shipping_address.country' | 'shipping_address.zipcode', S> {
  refuseFunctions({ points, pointsCache, locate, price }, given as Partial<Options>)
  const { options: ofShop, schema } = shopOptions('pickupPoints', options, given)
  const name = given.name ?? 'points'
  const folder = given.folder ?? (typeof given.file === 'function' ? '.' : undefined)
  const files = new WatchedFiles<PointIndex>({ adapter: name, watch: true, folder })
  const cache = pointsCache && new PointCache<FoundPoints | NoMethods>(pointsCache)
  const indexOf = (file: string, now: () => number) => files.of(file, { file, kind: pointFiles, now })

  /** The open points to offer, and the closed ones in whose place they come. */
  async function near(
    to: Destination,
    { nearest, within, file, time }: Options,
    ctx: RateContext<S>,
  ): Promise<NoMethods | { open: readonly NearPoint[]; closed: readonly NearPoint[] }> {
    const today = time.dayAt(ctx.now())
    const isOpen = (point: PickupPoint) => !isClosedForLong(point, today)
    const isNear = ({ kilometres = 0 }: NearPoint) => within === undefined || kilometres <= within
    if (points) {
      const ask = () => blaming({ name }, points, async () => readLogged(await points(to, ctx), ctx))
      const answer = await (cache ? cache.of(to, ctx, ask) : ask())
      if ('none' in answer) return answer
      for (const sentence of answer.leftOut) ctx.explain(sentence)
      const found = byDistance(answer.points).filter(isNear)
      const open = found.filter(({ point }) => isOpen(point)).slice(0, nearest)
      return { open, closed: found.filter(({ point }) => !isOpen(point)) }
    }
    const place = await placeOf(to, ctx)
    const index = await indexOf(file!, ctx.now)
    const found = index.nearest(nearest, { ...to, place }).filter(isNear)
    const closed = found.filter(({ point }) => !isOpen(point))
    if (closed.length === 0) return { open: found, closed }
    return { open: index.nearest(nearest, { ...to, place }, isOpen).filter(isNear), closed }
  }

  function readLogged(answer: unknown, { log, shop }: RateContext<S>): FoundPoints | NoMethods {
    const read = readFound(answer)
    if ('leftOut' in read && read.leftOut.length > 0) {
      const said = read.leftOut.slice(0, 5).join('; ')
      log.warn({ adapter: name, shop: shop.id }, `the API answered points with faults: ${said}`)
    }
    return read
  }

  async function placeOf(to: Destination, ctx: RateContext<S>): Promise<Place | undefined> {
    try {
      return await locate?.(to, ctx)
    } catch (error) {
      if (ctx.signal.aborted) throw error
      ctx.log.warn({ adapter: name, shop: ctx.shop.id, err: error }, 'locate failed: points by zipcode')
      ctx.explain('locate failed: points by zipcode')
      return undefined
    }
  }

  function priceOf(
    point: PickupPoint,
    its: Options,
    value: Decimal,
    ctx: RateContext<S>,
  ): GivenPrice | undefined {
    const { excl, incl, taxRate, currency, freeFrom } = its
    const own = price?.(point, ctx) ?? ownPrice(point)
    const given = own?.excl !== undefined || own?.incl !== undefined ? own : { excl, incl, ...own }
    if (given.excl === undefined && given.incl === undefined) return undefined
    const rest = { taxRate: own?.taxRate ?? taxRate, currency: own?.currency ?? currency }
    if (freeFrom !== undefined && decimal(value).gte(freeFrom)) return { excl: 0, ...rest }
    return { excl: given.excl, incl: given.incl, ...rest }
  }

  return {
    name,
    needs: ['shipping_address.country', 'shipping_address.zipcode'],
    estimate: 'quote',
    settings: schema.settings as z.ZodType<S> | undefined,
    settingsName: schema.settingsName,
    files,
    prepare: async ({ now }) => {
      const { file } = ofShop.constant ?? {}
      if (file !== undefined) await indexOf(file, now)
    },
    async quote({ shipping_address, quote, shop }, ctx): Promise<RateAnswer> {
      const { country, zipcode = '' } = shipping_address
      if (!country) return none('the destination has no country')
      const its = ofShop.of(ctx)
      const now = ctx.now()
      const today = its.time.dayAt(now)
      const found = await near({ country, zipcode }, its, ctx)
      if ('none' in found) return found
      const { open, closed } = found
      if (its.within !== undefined && open.some(({ kilometres }) => kilometres === undefined))
        ctx.explain('within does not apply to points whose distance is unknown')
      for (const { point } of closed) ctx.explain(`${point.id}: closed for a week`)
      const methods = open.flatMap(({ point, kilometres }): OfferedShipmentMethod[] => {
        const cost = priceOf(point, its, quote.price_incl, ctx)
        if (!cost) {
          ctx.explain(`${point.id}: it has no price`)
          return []
        }
        if (kilometres !== undefined) ctx.explain(`${point.id}: ${kilometres.toFixed(1)} km away`)
        return [
          {
            id: `${name}-${point.id}`,
            title: titled(its.title, point.name),
            description: pointText(point, kilometres, today),
            address: addressOf(point),
            ...givenPrice(cost, shop.currency),
            currency: cost.currency,
            is_pickup: its.kind === 'pickup',
            is_servicepoint: its.kind === 'servicepoint',
            // Another week is looked ahead at after midnight.
            ...(point.closed?.length ? { goodUntil: its.time.nextMidnight(now) } : {}),
          },
        ]
      })
      if (methods.length > 0) return methods
      if (open.length > 0) return none(`no point near this zipcode in ${country} has a price`)
      if (closed.length === 0) return none(`no point near this zipcode in ${country}`)
      const why = `every point near this zipcode in ${country} is closed for a week`
      return { ...none(why), goodUntil: its.time.nextMidnight(now) }
    },
  }
}

const pointFiles: FileKind<PointIndex> = {
  code: 'PICKUP_POINTS_INVALID',
  read: async (handle, file) => new PointIndex(await readPoints(handle, file)),
  sizeOf: ({ size }) => size,
}

/** Throws `CONFIGURATION_INVALID` for functions that are none, and where not one of file and points is given. */
function refuseFunctions(
  { points, pointsCache, locate, price }: PointFunctions<never>,
  { file, excl, incl, within }: Partial<Options>,
): void {
  const faults = Object.entries({ points, locate, price })
    .filter(([, given]) => given !== undefined && typeof given !== 'function')
    .map(([path]) => ({ path, message: 'must be a function' }))
  if (pointsCache !== undefined && !(Number(pointsCache?.ttl) > 0 && Number(pointsCache.staleFor ?? 0) >= 0))
    faults.push({ path: 'pointsCache', message: 'must be { ttl, staleFor }, in milliseconds' })
  if (pointsCache !== undefined && !points)
    faults.push({ path: 'pointsCache', message: 'is for points, and there are none' })
  if (faults.length === 0 && (file === undefined) === (points === undefined))
    faults.push({ path: 'options', message: 'give either file or points' })
  if (faults.length === 0 && excl === undefined && incl === undefined && !price)
    faults.push({ path: 'options', message: 'give either excl or incl, or price' })
  if (file !== undefined && within !== undefined && !locate)
    faults.push({
      path: 'within',
      message: 'needs locate: only the place of the destination gives a distance',
    })
  if (faults.length > 0) throw optionsError('pickupPoints', faults)
}

/** Nearest first if the API has the distance of each, otherwise in its own order. */
function byDistance(found: readonly FoundPoint[]): NearPoint[] {
  const near = found.map((point) => ({ point, kilometres: point.kilometres }))
  if (near.some(({ kilometres }) => kilometres === undefined)) return near
  return near.toSorted((one, other) => one.kilometres! - other.kilometres!)
}

const ownPrice = ({
  price_excl: excl,
  price_incl: incl,
  currency,
}: PickupPoint): Partial<GivenPrice> | undefined =>
  excl === undefined && incl === undefined ? undefined : { excl, incl, currency }

function titled(before: Options['title'], name: string): OfferedShipmentMethod['title'] {
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
