import { issueWords } from '../../contract/issue-words.ts'
import { cutTo } from '../../contract/values.ts'
import { wrongAnswer } from '../../errors/errors.ts'
import type { MaybePromise } from '../../world.ts'
import type { NoMethods, RateContext } from '../adapter.ts'
import { RateCache } from '../asking/rate-memory.ts'
import type { FileKind } from '../files/watched-file.ts'
import type { GivenPrice } from '../options.ts'
import { oneZipcode } from '../zipcodes/zipcode.ts'
import type { Day, ZonedTime } from '../zoned-time.ts'
import { type NearPoint, PointIndex } from './nearest.ts'
import { nextDays, type PickupPoint, type Place, pointOfApi, readPoints } from './points.ts'

/** A point of an API. */
export interface GivenPoint extends PickupPoint {
  /** Its distance in kilometres. Default: not known. */
  kilometres?: number | undefined
}
type Destination = { country: string; zipcode: string }

/** The functions of `pickupPoints`. */
export interface PointFunctions<S> {
  /** Instead of a file: returns points, nearest first, or none. If all have `kilometres`, they are sorted by it. Points with faults are left out. */
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

/** Finds the open points to offer, and the closed ones in whose place they come. */
type PointSource<S> = (
  to: Destination,
  wanted: { nearest: number; within?: number | undefined; file?: string | undefined; time: ZonedTime },
  ctx: RateContext<S>,
) => Promise<NoMethods | { open: readonly NearPoint[]; closed: readonly NearPoint[] }>

export function pointsOfApi<S>(
  name: string,
  points: NonNullable<PointFunctions<S>['points']>,
  pointsCache: PointFunctions<S>['pointsCache'],
): PointSource<S> {
  const cache = pointsCache && new PointCache<FoundPoints | NoMethods>(pointsCache)

  return async (to, { nearest, within, time }, ctx) => {
    const isOpen = openOn(time.dayAt(ctx.now()))
    const ask = async () => {
      const read = readFound(await points(to, ctx))
      const said = 'none' in read ? '' : read.leftOut.slice(0, 5).join('; ')
      const about = { adapter: name, shop: ctx.shop.id }
      if (said !== '') ctx.log.warn(about, `the API answered points with faults: ${said}`)
      return read
    }
    const answer = await (cache ? cache.of(to, ctx, ask) : ask())
    if ('none' in answer) return answer
    for (const sentence of answer.leftOut) ctx.explain(sentence)
    const found = byDistance(answer.points).filter(isWithin(within))
    const open = found.filter(({ point }) => isOpen(point)).slice(0, nearest)
    return { open, closed: found.filter(({ point }) => !isOpen(point)) }
  }
}

export type IndexOf = (file: string, now: () => number) => MaybePromise<PointIndex>

export function pointsOfFile<S>(
  name: string,
  { indexOf, locate }: { indexOf: IndexOf } & Pick<PointFunctions<S>, 'locate'>,
): PointSource<S> {
  async function placeOf(to: Destination, ctx: RateContext<S>): Promise<Place | undefined> {
    try {
      return await locate?.(to, ctx)
    } catch (error) {
      if (ctx.signal.aborted) throw error
      ctx.log.warn({ adapter: name, shop: ctx.shop.id, err: error }, 'locate failed: zipcodes decide')
      ctx.explain('locate failed: zipcodes decide')
      return undefined
    }
  }

  return async (to, { nearest, within, file, time }, ctx) => {
    const isOpen = openOn(time.dayAt(ctx.now()))
    const place = await placeOf(to, ctx)
    const index = await indexOf(file!, ctx.now)
    const found = index.nearest(nearest, { ...to, place }).filter(isWithin(within))
    const closed = found.filter(({ point }) => !isOpen(point))
    if (closed.length === 0) return { open: found, closed }
    return { open: index.nearest(nearest, { ...to, place }, isOpen).filter(isWithin(within)), closed }
  }
}

export const pointFiles: FileKind<PointIndex> = {
  code: 'PICKUP_POINTS_INVALID',
  option: 'pickupPoints()',
  read: async (handle, file) => new PointIndex(await readPoints(handle, file)),
  sizeOf: ({ size }) => size,
}

const openOn =
  (today: Day) =>
  ({ closed = [] }: PickupPoint): boolean =>
    closed.length === 0 || !nextDays(today).every((day) => closed.includes(day))

/** A point whose distance is not known is within any. */
const isWithin =
  (most: number | undefined) =>
  ({ kilometres = 0 }: NearPoint): boolean =>
    most === undefined || kilometres <= most

/** Nearest first if the API has the distance of each, otherwise in its own order. */
function byDistance(found: readonly GivenPoint[]): NearPoint[] {
  const near = found.map((point) => ({ point, kilometres: point.kilometres }))
  if (near.some(({ kilometres }) => kilometres === undefined)) return near
  return near.toSorted((one, other) => one.kilometres! - other.kilometres!)
}

export interface FoundPoints {
  points: readonly GivenPoint[]
  /** Sentences with the number and the id of the point. */
  leftOut: readonly string[]
}

/** Reads the answer of an API. Leaves out points with faults. Throws `ADAPTER_ANSWER_INVALID` if nothing can be used. */
export function readFound(answer: unknown): FoundPoints | NoMethods {
  if (typeof Object(answer).none === 'string') return answer as NoMethods
  if (!Array.isArray(answer)) {
    const given = answer === null ? 'null' : typeof answer
    throw wrongAnswer(`points returned ${given}: return a list of points, or none('why')`)
  }
  const points = new Map<string, GivenPoint>()
  const leftOut: string[] = []
  for (const [at, given] of answer.entries()) {
    const { data, error } = pointOfApi.safeParse(given)
    const faults = error?.issues.map((issue) => [...issue.path, issueWords(issue)].join(' ')) ?? []
    if (data && points.has(data.id)) faults.push('id is that of an earlier point')
    if (faults.length > 0) leftOut.push(`point ${at + 1}${idOf(given)} is left out: ${faults.join(', ')}`)
    else if (data) points.set(data.id, data)
  }
  if (points.size === 0 && leftOut.length > 0)
    throw wrongAnswer(`no point of the answer can be used: ${leftOut.slice(0, 3).join('; ')}`)
  return { points: [...points.values()], leftOut }
}

function idOf(given: unknown): string {
  const { id } = Object(given)
  return typeof id === 'string' || typeof id === 'number' ? ` "${cutTo(String(id), 64)}"` : ''
}

type Asking = Pick<RateContext, 'shop' | 'settings' | 'now' | 'explain'>

/** The points that an API answered, by shop, its settings and destination. Equal questions at one time are one call; a failed call, and none, is not kept. */
export class PointCache<Points extends object> {
  readonly #lasts: (points: Points) => [number, number]
  /** The settings of a shop are one object until they change. They are no part of a key: they may be secrets, and no text. */
  readonly #bySettings = new WeakMap<object, RateCache<Points>>()

  constructor({ ttl, staleFor = 0 }: NonNullable<PointFunctions<unknown>['pointsCache']>) {
    this.#lasts = (points) => ('none' in points ? [0, 0] : [ttl, staleFor])
  }

  async of(to: Destination, ctx: Asking, ask: () => Promise<Points>): Promise<Points> {
    const { now, explain, shop, settings } = ctx
    const isObject = Object(settings) === settings
    const of = isObject ? (settings as object) : this
    const answers = this.#bySettings.get(of) ?? new RateCache<Points>(5_000, () => 1)
    this.#bySettings.set(of, answers)
    const plain = isObject ? '' : String(settings)
    const key = JSON.stringify([shop.id, plain, to.country, oneZipcode(to.country, to.zipcode)])
    try {
      return await (answers.fresh(key, now()) ??
        answers.joined(key) ??
        answers.ask(key, now(), this.#lasts, ask))
    } catch (error) {
      const older = answers.stale(key, now())
      if (!older) throw error
      explain('points of an earlier call, because this one failed')
      return older
    }
  }
}
