/** A colour as `#rrggbb` in lower case. */
export type Colour = string

/** Reads `#rgb` and `#rrggbb` in any case; anything else is `undefined`. */
export function readColour(text: unknown): Colour | undefined {
  if (typeof text !== 'string' || !/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text)) return undefined
  const digits = text.slice(1).toLowerCase()
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join('')}`
}

type Channels = readonly [red: number, green: number, blue: number]

const channelsOf = (colour: Colour): Channels =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Channels

const colourOf = (channels: Channels): Colour =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance by WCAG 2.2, from 0 (black) to 1 (white). */
function luminance(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** A colour between two: 0 is the first, 1 the second. */
export function mixed(one: Colour, other: Colour, share: number): Colour {
  const others = channelsOf(other)
  return colourOf(
    channelsOf(one).map((channel, at) => channel + (others[at]! - channel) * share) as unknown as Channels,
  )
}

const steps = 256

/** The colour nearest to `colour`, towards black or white, that passes; `undefined` where none does. */
export function nearest(colour: Colour, passes: (colour: Colour) => boolean): Colour | undefined {
  for (let step = 0; step <= steps; step++) {
    const found = ['#000000', '#ffffff'].map((end) => mixed(colour, end, step / steps)).find(passes)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a colour has at least this contrast to each of the others. */
export const standsOut = (least: number, against: readonly Colour[]) => (colour: Colour) =>
  against.every((other) => contrast(colour, other) >= least)

/** Black or white, which is easier to read on this colour: one of them has a contrast of 4.5 to every colour. */
export const textOn = (colour: Colour): Colour =>
  contrast('#ffffff', colour) >= contrast('#000000', colour) ? '#ffffff' : '#000000'
