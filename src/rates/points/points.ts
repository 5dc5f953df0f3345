import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { didYouMean } from '../../checked-options.ts'
import { issueWords } from '../../contract/issue-words.ts'
import { jsonIn } from '../../contract/texts.ts'
import { countryIn } from '../../contract/values.ts'
import { PurveyorError } from '../../errors/errors.ts'
import { type Decimal, readDecimal } from '../../money/index.ts'
import { columnFaults, fileInvalid, isLost, lost, readCsv, textOf } from '../files/file-text.ts'
import { zipcodeFormats } from '../zipcodes/zipcode.ts'
import { type Day, isDay, plusDays } from '../zoned-time.ts'

/** A place where the customer collects the package. */
export interface PickupPoint {
  id: string
  name: string
  street?: string | undefined
  number?: string | undefined
  /** Not set in a country without zipcodes. */
  zipcode?: string | undefined
  city?: string | undefined
  /** Two lower-case letters. */
  country: string
  /** In degrees, -90 to 90. Default: not known. */
  latitude?: number | undefined
  /** In degrees, -180 to 180. Default: not known. */
  longitude?: number | undefined
  /** The price of this point, instead of that of the adapter: one of both. */
  price_excl?: Decimal | undefined
  price_incl?: Decimal | undefined
  /** Of this price. Default: that of the adapter, then the shop's. */
  currency?: string | undefined
  /** Words for the customer, such as `Mon-Sat 9-18`. */
  opening_hours?: string | undefined
  /** Days on which it is closed, such as `2026-12-25`. */
  closed?: readonly Day[] | undefined
}

/** A place on the map, in degrees. */
export interface Place {
  /** In degrees, -90 to 90. */
  latitude: number
  /** In degrees, -180 to 180. */
  longitude: number
}

/** The days of a week that begins today. */
export const nextDays = (today: Day): Day[] => Array.from({ length: 7 }, (_, ahead) => plusDays(today, ahead))
const cell = z.union([z.string(), z.number()], { error: 'must be a text or a number' })
const textual = cell.transform((value) => String(value).trim()).refine((value) => value !== '', 'is empty')
/** An empty cell is none. `read` returns `undefined` for a wrong value. */
const optional = <T>(read: (value: string | number) => T | undefined, message = '') =>
  cell.optional().transform((value, ctx): T | undefined => {
    if (value === undefined || value === '') return undefined
    const result = read(value)
    if (result === undefined) ctx.addIssue({ code: 'custom', message })
    return result
  })
const optionalText = optional((value) => String(value).trim())
const optionalPrice = optional((value) => {
  const read = readDecimal(value)
  return read?.startsWith('-') ? undefined : read
}, 'must be a number of 0 or more, with a point: 3.50')
const kilometres = optional(
  (value) => (Number(value) >= 0 ? Number(value) : undefined),
  'must be a number of 0 or more',
)
const twoLetters = 'must be two letters such as nl'
const days = z
  .union([z.string(), z.array(z.string())], { error: 'must be days such as 2026-12-25' })
  .optional()
  .transform((given = [], ctx): Day[] => {
    const all = typeof given === 'string' ? given.split('|') : given
    const listed = all.map((day) => day.trim()).filter(Boolean)
    if (!listed.every(isDay))
      ctx.addIssue({ code: 'custom', message: 'must be days such as 2026-12-25, with | between, no time' })
    return listed
  })
const degrees = (most: number) =>
  z
    .union([z.number(), z.literal('').transform(() => undefined), z.string().transform(Number)])
    .optional()
    .refine(
      (value) => value === undefined || Math.abs(value) <= most,
      `must be a number from -${most} to ${most}, with a point`,
    )

const fields = {
  id: textual,
  name: textual,
  street: optionalText,
  number: optionalText,
  zipcode: optionalText,
  city: optionalText,
  country: z
    .string(twoLetters)
    .transform(countryIn)
    .refine((value) => /^[a-z]{2}$/.test(value), twoLetters),
  latitude: degrees(90),
  longitude: degrees(180),
  price_excl: optionalPrice,
  price_incl: optionalPrice,
  currency: optionalText.refine(
    (value) => value === undefined || /^[a-z]{3}$/i.test(value),
    'must be three letters such as eur',
  ),
  opening_hours: optionalText,
  closed: days,
}
const noObject = { error: 'is not an object' }
const columns = Object.keys(fields)

function checkPoint(given: Omit<PickupPoint, 'id' | 'name'>, ctx: z.RefinementCtx) {
  const { price_excl, price_incl, zipcode, country } = given
  if (zipcode === undefined && zipcodeFormats.has(country))
    ctx.addIssue({ code: 'custom', path: ['zipcode'], message: 'is empty' })
  if (price_excl !== undefined && price_incl !== undefined)
    ctx.addIssue({ code: 'custom', path: ['price_incl'], message: 'give either price_excl or price_incl' })
}

/** Drops members that are null: many APIs write them for missing ones. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !Object.values(given).includes(null)) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

const point = z.preprocess(withoutNulls, z.object(fields, noObject).superRefine(checkPoint))

/** A point as an API gives it: with its distance, and what else the API says of it. */
export const pointOfApi = z.preprocess(
  withoutNulls,
  z.looseObject({ ...fields, kilometres }, noObject).superRefine(checkPoint),
)

/** Reads the points of an open CSV or GeoJSON file. Rejects with `PICKUP_POINTS_INVALID`, which names every fault. */
export async function readPoints(handle: FileHandle, file: string): Promise<PickupPoint[]> {
  const faults: { path: string; message: string }[] = []
  const fault = ({ place, isLine }: Omit<Given, 'value'>, name: string, message: string) =>
    void faults.push({ path: `${file}${isLine ? ':' : ': point '}${place} ${name || 'line'}`, message })
  const given = /\.(geo)?json$/.test(file) ? await readGeoJson(handle, file) : await readLines(handle, fault)
  const places = new Map<string, number>()
  const points = given.flatMap((one) => {
    for (const name of columns) if (isLost(String(one.value[name]))) fault(one, name, lost)
    const read = point.safeParse(one.value)
    if (!read.success) {
      for (const issue of read.error.issues) fault(one, issue.path.join('.'), issueWords(issue))
      return []
    }
    const key = `${read.data.country} ${read.data.id}`
    const before = places.get(key)
    if (before !== undefined) fault(one, 'id', `is that of ${one.isLine ? 'line' : 'point'} ${before} too`)
    places.set(key, one.place)
    return read.data
  })
  if (points.length === 0 && faults.length === 0) faults.push({ path: file, message: 'has no points' })
  if (faults.length > 0) throw fileInvalid('PICKUP_POINTS_INVALID', 'The pickup points', file, faults)
  return points
}

/** An unknown column would be ignored, and a price in it lost. */
const noColumn = (name: string): string | undefined =>
  columns.includes(name) ? undefined : `is not a column of points: ${didYouMean(name, columns)}`

interface Given {
  /** The line, or the number of the feature. */
  place: number
  isLine: boolean
  value: Readonly<Record<string, unknown>>
}

async function readLines(
  handle: FileHandle,
  fault: (at: Omit<Given, 'value'>, name: string, message: string) => void,
): Promise<Given[]> {
  const lines: Given[] = []
  const isLine = true
  let names: string[] = []
  const begin = (header: string[]) => {
    names = header.map((name) => name.toLowerCase())
    return (cells: string[], place: number) => {
      const value = Object.fromEntries(names.map((name, at) => [name, cells[at]]))
      lines.push({ place, isLine, value })
    }
  }
  await readCsv(handle, begin, (place, message) => fault({ place, isLine }, 'line', message))
  const named = lines.length > 0 ? names.filter((name) => name !== '') : []
  for (const { name, message } of columnFaults(named, noColumn)) fault({ place: 1, isLine }, name, message)
  return lines
}

async function readGeoJson(handle: FileHandle, file: string): Promise<Given[]> {
  const { features } = Object(jsonIn(textOf(await handle.readFile())))
  if (!Array.isArray(features)) {
    const message = `pickupPoints(): file ${file} is not GeoJSON: it needs an object with a list of features, the points`
    throw new PurveyorError('PICKUP_POINTS_INVALID', message, { place: file })
  }
  return features.map((feature, index) => {
    // RFC 7946: a feature may have an id of its own.
    const { id, properties, geometry } = Object(feature)
    const [longitude, latitude] = geometry?.coordinates ?? []
    const value = { ...properties, id: properties?.id ?? id, longitude, latitude }
    return { place: index + 1, isLine: false, value }
  })
}
