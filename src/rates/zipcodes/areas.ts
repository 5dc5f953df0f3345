import {
  highestOf,
  numberOf,
  plainZipcode,
  rankOf,
  squeeze,
  zipcodeFormats,
  zipcodeKey,
  zipcodeText,
} from './zipcode.ts'

/** The zipcodes from one key to another, with all that begin with either. Both are empty for a whole country. */
export interface Span {
  from: string
  to: string
}

export interface Part {
  /** `10*`; empty for all. */
  name: string
  spans: readonly Span[]
  /** Whether a `*` says that more may follow what is written. */
  isOpen: boolean
}

/** Zipcodes of a country that a line is for: those inside, without those that it leaves out. */
export interface Area {
  country: string
  /** `10*`, `1000-1999|!1012` or `region CA`; empty for the whole country. */
  name: string
  /** As `regionKey` writes it. Empty: any. */
  region: string
  inside: Part
  without: readonly Part[]
}

export type Stretch = readonly [from: number, to: number]
/** The zipcodes that an area covers, as numbers. */
export type Extent = ReturnType<typeof extentOf>

export function extentOf({ country, inside, without }: Pick<Area, 'country' | 'inside' | 'without'>) {
  const stretches = (ends: (span: Span) => Stretch) =>
    without.flatMap(({ spans }) => spans.map(ends)).reduce(subtract, inside.spans.map(ends).filter(isSome))
  // By `numberOf`: for look-ups, also of zipcodes that are not whole.
  const keys = stretches(({ from, to }) => [numberOf(from), highestOf(to)])
  // By `rankOf`: the whole zipcodes, as the country writes them. Empty if there are none.
  const zipcodes = stretches(({ from, to }) => [rankOf(country, from, false), rankOf(country, to, true) - 1])
  // Without any the size is below 1.
  return { keys, zipcodes, size: sizeOf(zipcodes) || sizeOf(keys) / highestOf('') }
}

const isSome = ([from, to]: Stretch) => from <= to

const subtract = (all: Stretch[], [from, to]: Stretch): Stretch[] =>
  all.flatMap(([low, high]): Stretch[] => {
    if (from > high || to < low || from > to) return [[low, high]]
    const before: Stretch = [low, from - 1]
    const after: Stretch = [to + 1, high]
    return [before, after].filter(isSome)
  })

const sizeOf = (all: readonly Stretch[]): number => all.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/** The stretches in which to compare two extents. */
const both = (one: Extent, other: Extent) =>
  one.zipcodes.length > 0 && other.zipcodes.length > 0
    ? [one.zipcodes, other.zipcodes]
    : [one.keys, other.keys]

export function liesIn(one: Extent, other: Extent): boolean {
  const [inner, outer] = both(one, other)
  return inner!.every(([low, high]) => outer!.some(([from, to]) => from <= low && high <= to))
}

export function meet(one: Area, other: Area): boolean {
  if (one.region !== other.region && one.region !== '' && other.region !== '') return false
  const [some, others] = both(extentOf(one), extentOf(other))
  return some!.some(([low, high]) => others!.some(([from, to]) => from <= high && low <= to))
}

type Fault = (message: string) => void
const whole: Part = { name: '', spans: [{ from: '', to: '' }], isOpen: true }

/** The cells of a line that name its destinations. */
export interface PlaceCells {
  /** `10*`, `1000-1999`, `1012AB` or `!1012AB`, with `|` between. Empty: all. */
  zipcode: string
  /** States or provinces, with `|` between. Empty: all. */
  region: string
}

/** Reads the areas of a country, or, without one, of any. */
export function readAreas(country: string, { zipcode, region }: PlaceCells, fault: Fault): Area[] {
  const parts = zipcode === '' ? [] : zipcode.split('|').map((part) => part.trim())
  const read = (part: string) => readPart(country, part, fault) ?? []
  const inside = parts.filter((part) => !part.startsWith('!'))
  const without = parts.filter((part) => part.startsWith('!')).flatMap((part) => read(part.slice(1).trim()))
  const left = without.map(({ name }) => `!${name}`)
  const areas = (inside.length > 0 ? inside.flatMap(read) : [whole]).map((one): Area => {
    const name = [one.name, ...left].filter(Boolean).join('|')
    return { country, region: '', name, inside: one, without }
  })
  for (const area of without.length > 0 ? areas : []) {
    const left = extentOf(area)
    if (left.keys.length === 0 || (left.size < 1 && extentOf({ ...area, without: [] }).size >= 1))
      fault(`${area.name} leaves out all of its zipcodes: remove one of the two`)
  }
  const regions = region === '' ? [] : region.split('|').map((one) => regionKey(country, one))
  if (regions.includes('')) fault('has an empty region: write states or provinces, such as CA|NV')
  else if (/[!*]/.test(region))
    fault('has a region with ! or *, which no shop sends: write states or provinces, or nothing for all')
  if (regions.length === 0) return areas
  return regions.flatMap((one) =>
    areas.map((area) => ({ ...area, region: one, name: `${area.name} region ${one}`.trim() })),
  )
}

function readPart(country: string, part: string, fault: Fault): Part | undefined {
  const plain = plainZipcode(country, part)
  const isOpen = plain.endsWith('*')
  const format = zipcodeFormats.get(country)
  const hasDistricts = format?.hasDistricts ?? false
  // No range is longer, and each dash is tried.
  const range = plain.length > 40 ? undefined : rangeIn(country, plain)
  if (range === undefined) {
    // `EH1-` is a range whose end was forgotten.
    const key = plain.endsWith('-') ? undefined : keyIn(country, isOpen ? plain.slice(0, -1) : plain)
    if (key !== undefined) {
      const spans = isOpen && hasDistricts ? openSpans(key) : [{ from: key, to: key }]
      return { name: zipcodeText(country, key) + (isOpen ? '*' : ''), spans, isOpen }
    }
    const forms = 'write 1012AB, a prefix such as 10*, or a range such as 1000-1999'
    fault(`${part || 'nothing'} is not a zipcode: ${forms}`)
    return undefined
  }
  const [from, to] = range
  const sameArea = !hasDistricts || from.length === 2 || from.slice(0, 2) === to.slice(0, 2)
  if (from.length === to.length && from <= to && sameArea) {
    const [first, last] = range.map((key) => zipcodeText(country, key))
    return { name: from === to ? first! : `${first}-${last}`, spans: [{ from, to }], isOpen }
  }
  const length = format?.partEnds.find((end) => end >= to.length) ?? to.length
  const filled = `${range.map((end) => end.padStart(length, '0')).join('-')} if a spreadsheet dropped zeros`
  const two = hasDistricts
    ? ['districts of one area', 'BH2-BH4']
    : ['zipcodes of one length', /^\d+$/.test(from + to) && from.length < to.length ? filled : '1000-1999']
  fault(`${part} is not a range: write two ${two[0]}, the lower one first, such as ${two[1]}`)
  return undefined
}

/** The key of one zipcode, or of its beginning; `undefined` for other text. */
function keyIn(country: string, plain: string): string | undefined {
  const isKey = /^[A-Z0-9][A-Z0-9 -]*$/.test(plain) && squeeze(plain).length <= 10
  return isKey ? zipcodeKey(country, plain) : undefined
}

/** The ends of a range. A zipcode may have a dash too: then it is whole, and its parts differ in length. */
function rangeIn(country: string, plain: string): [string, string] | undefined {
  const format = zipcodeFormats.get(country)
  const dashes = Array.from(plain.matchAll(/-/g), ({ index }) => index)
  const cuts = dashes.flatMap((at): [string, string][] => {
    const [one, other] = [plain.slice(0, at), plain.slice(at + 1)].map((end) => end.trim().replace(/\*$/, ''))
    // `IV1-28` names the area once.
    const area = format?.hasDistricts && /^\d{1,2}[A-Z]?$/.test(other!) ? /^[A-Z]{0,2}/.exec(one!)![0] : ''
    const [from, to] = [keyIn(country, one!), keyIn(country, area + plainZipcode(country, other!))]
    return from === undefined || to === undefined ? [] : [[from, to]]
  })
  const even = cuts.find(([from, to]) => from.length === to.length)
  if (even || !format) return even ?? cuts[0]
  const ends = [...dashes, plain.length].map((at) => squeeze(plain.slice(0, at)).length)
  const isWhole = format.hasDistricts
    ? zipcodeText(country, zipcodeKey(country, plain)).includes(' ')
    : ends.every((end) => format.partEnds.includes(end))
  return isWhole && !plain.includes('*') ? undefined : cuts[0]
}

/** A prefix of a number takes the districts that begin with its digits too: `PO3*` has PO30 to PO39. A district has no more than two. */
function openSpans(key: string): Span[] {
  const [area, number] = [key.slice(0, 2), key.slice(2)]
  if (/^[A-Z] $/.test(key)) return [{ from: key, to: `${area[0]}Z` }]
  if (!/^0[1-9]$/.test(number)) return [{ from: key, to: key }]
  const tens = { from: `${area}${number[1]}0`, to: `${area}${number[1]}9` }
  return [{ from: key, to: key }, tens]
}

/** A state or a province, without the case of its letters, their accents, and the country in front. */
export function regionKey(country: string, region: string): string {
  const plain = /^[\x20-\x7e]*$/.test(region) ? region : region.normalize('NFKD').replace(/\p{M}/gu, '')
  const upper = plain.trim().toUpperCase()
  const sign = `${country.toUpperCase()}-`
  return sign.length === 3 && upper.startsWith(sign) ? upper.slice(3) : upper
}

export interface Destination {
  country: string
  /** By `numberOf`. */
  zip: number
  /** By `regionKey`. */
  region: string
}

export const destinationOf = (country: string, zipcode = '', region = ''): Destination => ({
  country,
  zip: numberOf(zipcodeKey(country, zipcode)),
  region: region === '' ? '' : regionKey(country, region),
})
