import { zipcodeKey } from '../zipcodes/zipcode.ts'
import type { PickupPoint, Place } from './points.ts'

/** A point with its distance in kilometres, if the place of the destination is known. */
export interface NearPoint {
  point: PickupPoint
  kilometres: number | undefined
}

export interface Destination {
  country: string
  zipcode: string
  /** The place of the destination. Without it, points with similar zipcodes give the order, and no distance. */
  place: Place | undefined
}

type Wanted = (point: PickupPoint) => boolean

/** Indexes points by country. Figures that do not depend on the destination are computed once per point. */
export class PointIndex {
  readonly #countries: ReadonlyMap<string, CountryPoints>
  readonly size: number

  constructor(points: readonly PickupPoint[]) {
    this.size = points.length
    const lists = Map.groupBy(points, (point) => point.country)
    this.#countries = new Map(Array.from(lists, ([country, list]) => [country, new CountryPoints(list)]))
  }

  /**
   * The nearest points, nearest first. Points without a known place follow, those with the most similar zipcodes first. With `wanted`, only
   * points for which it returns true.
   */
  nearest(count: number, { country, zipcode, place }: Destination, wanted: Wanted = () => true): NearPoint[] {
    return this.#countries.get(country)?.nearest(count, zipcodeKey(country, zipcode), place, wanted) ?? []
  }
}

/** More than the distance between any two places. */
const unplaced = 10

class CountryPoints {
  /** By id, so that of two equally near points the same one always comes first. */
  readonly #points: readonly PickupPoint[]
  readonly #zipcodes: readonly string[]
  /** Three numbers for each point: where it lies on a sphere of radius 1. Comparing them needs no trigonometry. */
  readonly #places: Float64Array
  /** The middle of the points whose zipcodes begin with a prefix. */
  readonly #middles: Map<string, Place>
  readonly #longestZipcode: number

  constructor(points: readonly PickupPoint[]) {
    this.#points = points.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    this.#zipcodes = this.#points.map(({ country, zipcode = '' }) => zipcodeKey(country, zipcode))
    this.#longestZipcode = this.#zipcodes.reduce((most, { length }) => Math.max(most, length), 0)
    this.#places = new Float64Array(3 * points.length).fill(Number.NaN)
    for (const [at, point] of this.#points.entries())
      if (hasPlace(point)) this.#places.set(onSphere(point), 3 * at)
    this.#middles = middlesOf(this.#points, this.#zipcodes)
  }

  nearest(count: number, zipcode: string, place: Place | undefined, wanted: Wanted): NearPoint[] {
    const from = place ?? this.#middleFor(zipcode)
    const best = new Best(count)
    const [x = 0, y = 0, z = 0] = from ? onSphere(from) : []
    const places = this.#places
    for (let at = 0; at < this.#points.length; at++) {
      const a = places[3 * at]! - x
      const b = places[3 * at + 1]! - y
      const c = places[3 * at + 2]! - z
      const apart = from ? a * a + b * b + c * c : Number.NaN
      const figure = apart >= 0 ? apart : unplaced - alike(this.#zipcodes[at]!, zipcode) / 100
      if (figure < best.worst && wanted(this.#points[at]!)) best.offer(at, figure)
    }
    return best.places.map((at) => {
      const point = this.#points[at]!
      return { point, kilometres: place && hasPlace(point) ? distance(place, point) : undefined }
    })
  }

  /** The middle of the points whose zipcodes are most like this one. */
  #middleFor(zipcode: string): Place | undefined {
    for (let length = Math.min(zipcode.length, this.#longestZipcode); length > 0; length--) {
      const middle = this.#middles.get(zipcode.slice(0, length))
      if (middle) return middle
    }
    return undefined
  }
}

/** Keeps the places of the `count` lowest figures that are offered, lowest first; of equal ones those that came first. */
class Best {
  readonly places: number[] = []
  readonly #figures: number[] = []
  readonly #count: number
  /** A figure that is not below it changes nothing. */
  worst = Number.POSITIVE_INFINITY

  constructor(count: number) {
    this.#count = count
  }

  offer(place: number, figure: number): void {
    let at = this.#figures.length
    while (at > 0 && this.#figures[at - 1]! > figure) at--
    this.#figures.splice(at, 0, figure)
    this.places.splice(at, 0, place)
    if (this.places.length > this.#count) {
      this.#figures.pop()
      this.places.pop()
    }
    if (this.places.length === this.#count) this.worst = this.#figures.at(-1)!
  }
}

const hasPlace = (one: PickupPoint): one is PickupPoint & Place =>
  one.latitude !== undefined && one.longitude !== undefined

/** How many characters two zipcodes begin with alike. Both as `zipcodeKey` writes them. */
function alike(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}

function middlesOf(points: readonly PickupPoint[], zipcodes: readonly string[]): Map<string, Place> {
  const sums = new Map<string, Place & { count: number }>()
  for (const [at, point] of points.entries()) {
    if (!hasPlace(point)) continue
    const zipcode = zipcodes[at]!
    for (let length = 1; length <= zipcode.length; length++) {
      const prefix = zipcode.slice(0, length)
      const sum = sums.get(prefix) ?? { latitude: 0, longitude: 0, count: 0 }
      sum.latitude += point.latitude
      sum.longitude += point.longitude
      sum.count++
      sums.set(prefix, sum)
    }
  }
  for (const sum of sums.values()) {
    sum.latitude /= sum.count
    sum.longitude /= sum.count
  }
  return sums
}

const radians = Math.PI / 180

function onSphere({ latitude, longitude }: Place): [number, number, number] {
  const [north, east] = [latitude * radians, longitude * radians]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

/** In kilometres, over a sphere. */
function distance(from: Place, to: Place): number {
  const across = Math.sin(((to.latitude - from.latitude) * radians) / 2) ** 2
  const along = Math.sin(((to.longitude - from.longitude) * radians) / 2) ** 2
  const part = across + Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * along
  return 2 * 6371 * Math.asin(Math.sqrt(part))
}
