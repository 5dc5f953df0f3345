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

  /** The nearest `wanted` points. Points without a known place follow, those with the most similar zipcodes first. */
  nearest(count: number, { country, zipcode, place }: Destination, wanted: Wanted = () => true): NearPoint[] {
    return this.#countries.get(country)?.nearest(count, zipcodeKey(country, zipcode), place, wanted) ?? []
  }
}

/** More than the distance between any two places. */
const unplaced = 10

interface Indexed {
  point: PickupPoint
  zipcode: string
  /** Where it lies on a sphere of radius 1. Comparing them needs no trigonometry. */
  at: OnSphere | undefined
}

class CountryPoints {
  /** By id, so that of two equally near points the same one always comes first. */
  readonly #points: readonly Indexed[]
  /** The middle of the points whose zipcodes begin with a prefix. */
  readonly #middles: Map<string, Place>

  constructor(points: readonly PickupPoint[]) {
    const sorted = points.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    this.#points = sorted.map((point) => ({
      point,
      zipcode: zipcodeKey(point.country, point.zipcode ?? ''),
      at: hasPlace(point) ? onSphere(point) : undefined,
    }))
    this.#middles = middlesOf(this.#points)
  }

  nearest(count: number, zipcode: string, given: Place | undefined, wanted: Wanted): NearPoint[] {
    // A function of the developer found it, and its numbers may be none.
    const isPlace = Number.isFinite(given?.latitude) && Number.isFinite(given?.longitude)
    const place = isPlace ? given : undefined
    const middle = place ?? this.#middleFor(zipcode)
    const from = middle && onSphere(middle)
    const best: { point: PickupPoint; figure: number }[] = []
    for (const { point, at, zipcode: its } of this.#points) {
      const figure = from && at ? apart(from, at) : unplaced - alike(its, zipcode) / 100
      if ((best.length === count && figure >= best[count - 1]!.figure) || !wanted(point)) continue
      best.splice(best.findLastIndex((one) => one.figure <= figure) + 1, 0, { point, figure })
      if (best.length > count) best.pop()
    }
    return best.map(({ point }) => ({
      point,
      kilometres: place && hasPlace(point) ? distance(place, point) : undefined,
    }))
  }

  #middleFor(zipcode: string): Place | undefined {
    for (let length = zipcode.length; length > 0; length--) {
      const middle = this.#middles.get(zipcode.slice(0, length))
      if (middle) return middle
    }
    return undefined
  }
}

const hasPlace = (one: PickupPoint): one is PickupPoint & Place =>
  one.latitude !== undefined && one.longitude !== undefined

/** How many characters two zipcodes begin with alike. Both as `zipcodeKey` writes them. */
function alike(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function middlesOf(points: readonly Indexed[]): Map<string, Place> {
  const sums = new Map<string, Place & { count: number }>()
  for (const { point, zipcode } of points) {
    if (!hasPlace(point)) continue
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

type OnSphere = readonly [number, number, number]

/** The square of the distance. */
const apart = (one: OnSphere, other: OnSphere): number =>
  (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2

const radians = Math.PI / 180

function onSphere({ latitude, longitude }: Place): OnSphere {
  const [north, east] = [latitude * radians, longitude * radians]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

/** In kilometres, over a sphere: of an arc half is the sine of half a chord. */
const distance = (from: Place, to: Place): number =>
  2 * 6371 * Math.asin(Math.sqrt(apart(onSphere(from), onSphere(to))) / 2)
