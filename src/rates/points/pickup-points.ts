import { z } from 'zod'
import type { LocalText, OfferedShipmentMethod } from '../../adapters/offered-methods.ts'
import { type Decimal, decimal } from '../../money/index.ts'
import { none, type RateAdapter, type RateAnswer } from '../adapter.ts'
import { WatchedFiles } from '../files/watched-files.ts'
import {
  adapterName,
  amount,
  callable,
  type GivenPrice,
  givenPrice,
  optionsOf,
  priceOptions,
  quoteValue,
  text,
  timeZone,
} from '../options.ts'
import {
  type OfSettings,
  type OptionsOf,
  type SchemaOf,
  type SettingsOption,
  shopOptions,
} from '../shop-options.ts'
import { type Day, ZonedTime } from '../zoned-time.ts'
import type { PointIndex } from './nearest.ts'
import { type IndexOf, type PointFunctions, pointFiles, pointsOfApi, pointsOfFile } from './point-sources.ts'
import { nextDays, type PickupPoint } from './points.ts'

/** Options of `pickupPoints`. Give `file` or `points`. Each value, except `name` and `folder`, may be a function of the shop's settings. */
export interface PickupPointsOptions<S = unknown>
  extends PointFunctions<S>,
    SettingsOption<S>,
    OptionsOf<GivenPrice, S> {
  /** The name of the adapter: letters, digits, `-` and `_`. Default `points`. */
  name?: string | undefined
  /** A CSV or GeoJSON file of all points; its columns are those of `PickupPoint`. Default: none, with `points`. */
  file?: OfSettings<string | undefined, S>
  /** The folder in which files that a function returns must lie. Default: the working directory. */
  folder?: string | undefined
  /** The number of points to offer, 1 to 50. Default 5. */
  nearest?: OfSettings<number | undefined, S>
  /** Offers no point farther away, in kilometres. Needs the distance: `locate`, or `kilometres` of an API. Default: any distance. */
  within?: OfSettings<number | undefined, S>
  /** `servicepoint`: the package is sent there. `pickup`: it is collected at the shop's own place. Default `servicepoint`. */
  kind?: OfSettings<'servicepoint' | 'pickup' | undefined, S>
  /** Stands before the name of the point. Default: nothing. */
  title?: OfSettings<LocalText | undefined, S>
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
    timeZone: timeZone.default('Europe/Amsterdam'),
  } satisfies SchemaOf<Omit<PickupPointsOptions, keyof PointFunctions<unknown>>>)
  .refine(({ excl, incl }) => excl === undefined || incl === undefined, { error: 'give either excl or incl' })
  .transform(({ timeZone, ...given }) => ({ ...given, time: new ZonedTime(timeZone) }))
type Options = z.output<typeof options>

/**
 * Offers the nearest places to collect a package, one method each (spec 2.5 is_pickup, is_servicepoint). Throws
 * `CONFIGURATION_INVALID` for wrong options; a file with faults stops the provider's start with `PICKUP_POINTS_INVALID`.
 */
export function pickupPoints<S = unknown>(
  all: PickupPointsOptions<S>,
): RateAdapter<'shipping_address.country' | 'shipping_address.zipcode', S> {
  optionsOf('pickupPoints', functions, all)
  const { points, pointsCache, locate, price, ...given } = all
  const { options: ofShop, schema } = shopOptions('pickupPoints', options, given)
  const name = given.name ?? 'points'
  const files = new WatchedFiles<PointIndex>({ adapter: name, file: given.file, folder: given.folder })
  const indexOf: IndexOf = (file, now) => files.of(file, { file, kind: pointFiles, now })
  const near = points ? pointsOfApi(name, points, pointsCache) : pointsOfFile(name, { indexOf, locate })

  return {
    name,
    needs: ['shipping_address.country', 'shipping_address.zipcode'],
    estimate: 'quote',
    ...schema,
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
      const worth = quoteValue(quote.price_incl, shop.currency)
      const today = its.time.dayAt(now)
      const found = await near({ country, zipcode }, its, ctx)
      if ('none' in found) return found
      const { open, closed } = found
      if (its.within !== undefined && open.some(({ kilometres }) => kilometres === undefined))
        ctx.explain('within does not apply to points whose distance is unknown')
      for (const { point } of closed) ctx.explain(`${point.id}: closed for a week`)
      const methods = open.flatMap(({ point, kilometres }): OfferedShipmentMethod[] => {
        const cost = priceOf(price?.(point, ctx) ?? ownPrice(point), its, worth)
        if (!cost) {
          ctx.explain(`${point.id}: it has no price`)
          return []
        }
        if (kilometres !== undefined) ctx.explain(`${point.id}: ${kilometres.toFixed(1)} km away`)
        const method: OfferedShipmentMethod = {
          id: `${name}-${point.id}`,
          title: titled(its.title, point.name),
          description: pointText(point, kilometres, today),
          address: addressOf(point),
          ...{ ...givenPrice(cost, shop.currency), currency: cost.currency },
          ...{ is_pickup: its.kind === 'pickup', is_servicepoint: its.kind === 'servicepoint' },
        }
        // Another week is looked ahead at after midnight.
        return [point.closed?.length ? { ...method, goodUntil: its.time.nextMidnight(now) } : method]
      })
      if (methods.length > 0) return methods
      if (open.length > 0) return none(`no point near this zipcode in ${country} has a price`)
      if (closed.length === 0) return none(`no point near this zipcode in ${country}`)
      const why = `every point near this zipcode in ${country} is closed for a week`
      return { ...none(why), goodUntil: its.time.nextMidnight(now) }
    },
  }
}

/** The functions, beside their options: each may be a function of the settings. */
const functions = z
  .looseObject({
    points: callable.optional(),
    pointsCache: z
      .strictObject({ ttl: z.number().positive(), staleFor: z.number().min(0).optional() })
      .optional(),
    locate: callable.optional(),
    price: callable.optional(),
  })
  .refine(({ file, points }) => (file === undefined) !== (points === undefined), 'give either file or points')
  .refine(
    ({ excl, incl, price }) => excl !== undefined || incl !== undefined || price,
    'give either excl or incl, or price',
  )
  .refine(({ points, pointsCache }) => points || !pointsCache, {
    path: ['pointsCache'],
    error: 'is only for points(), which is missing',
  })
  .refine(({ file, within, locate }) => file === undefined || within === undefined || locate, {
    path: ['within'],
    error: 'needs locate: only the place of the destination gives a distance',
  })

function priceOf(own: Partial<GivenPrice> | undefined, its: Options, value: Decimal): GivenPrice | undefined {
  const { excl, incl, taxRate, currency, freeFrom } = its
  const given = own?.excl !== undefined || own?.incl !== undefined ? own : { excl, incl, ...own }
  if (given.excl === undefined && given.incl === undefined) return undefined
  const rest = { taxRate: own?.taxRate ?? taxRate, currency: own?.currency ?? currency }
  if (freeFrom !== undefined && decimal(value).gte(freeFrom)) return { excl: 0, ...rest }
  return { excl: given.excl, incl: given.incl, ...rest }
}

const ownPrice = ({ price_excl: excl, price_incl: incl, currency }: PickupPoint) =>
  excl === undefined && incl === undefined ? undefined : { excl, incl, currency }

function titled(before: Options['title'], name: string): OfferedShipmentMethod['title'] {
  if (before === undefined) return name
  if (typeof before === 'string') return `${before}: ${name}`
  return Object.fromEntries(Object.entries(before).map(([language, said]) => [language, `${said}: ${name}`]))
}

const joined = (mark: string, ...parts: (string | undefined)[]) => parts.filter(Boolean).join(mark)
const addressOf = ({ street, number, zipcode, city }: PickupPoint): string =>
  joined(', ', joined(' ', street, number), joined(' ', zipcode, city))

const languages = Object.entries({
  en: 'closed on',
  nl: 'gesloten op',
  de: 'geschlossen am',
  fr: 'fermé le',
  es: 'cerrado el',
})

/** Distance, opening hours and the closed days of the next week, in five languages. `undefined` if nothing is known. */
function pointText(point: PickupPoint, kilometres: number | undefined, today: Day): LocalText | undefined {
  const closed = nextDays(today).filter((day) => point.closed?.includes(day))
  const texts = languages.map(([language, words]) => {
    const locale = language === 'en' ? 'en-GB' : language
    const distance = kilometres === undefined ? undefined : distanceText(kilometres, locale)
    const days = closed.map((day) => dayText(day, locale)).join(', ')
    return [language, joined(' · ', distance, point.opening_hours, days && `${words} ${days}`)]
  })
  return texts[0]![1] === '' ? undefined : Object.fromEntries(texts)
}

/** In steps of 50 m below one kilometre, and of 100 m above. */
function distanceText(kilometres: number, locale: string): string {
  const metres = Math.max(50, Math.round(kilometres * 20) * 50)
  if (metres < 1_000) return `${metres} m`
  return `${kilometres.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} km`
}

const wholeDay = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
const dayText = (day: Day, locale: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, wholeDay)
