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
function mixed(one: Colour, other: Colour, share: number): Colour {
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

export const standsOut = (least: number, against: readonly Colour[]) => (colour: Colour) =>
  against.every((other) => contrast(colour, other) >= least)

/** Black or white, which is easier to read on this colour: one of them has a contrast of 4.5 to every colour. */
export const textOn = (colour: Colour): Colour =>
  contrast('#ffffff', colour) >= contrast('#000000', colour) ? '#ffffff' : '#000000'

/** The address of a link to the support: an https address as it is, `mailto:` or `tel:`. `undefined` for anything else. */
export function supportAddress(text: string): string | undefined {
  if (text.length > 300) return undefined
  if (/^[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text)) return `mailto:${text}`
  if (/^\+?[\d ()./-]{5,30}$/.test(text)) return `tel:${text.replaceAll(/[^\d+]/g, '')}`
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.username === '' && !/\s/.test(text) ? text : undefined
}

/** Stacks of fonts that devices have: a page loads none. */
export const fontStacks = {
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", sans-serif',
  geometric: 'Avenir, Montserrat, Corbel, "URW Gothic", sans-serif',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, sans-serif',
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, serif',
} as const
/** A stack of fonts for the pages. */
export type BrandFont = keyof typeof fontStacks

/**
 * How the hosted payment pages look, and whose they are. Colours are `#rgb` or `#rrggbb`; one that is too hard to read (WCAG AA) is refused
 * with the nearest one that is not.
 */
export interface Brand {
  /** In the header. That of a shop stands behind "back to" too, and the provider's in the footer then. At most 60 characters. */
  name?: string
  /** PNG, JPEG, WebP or GIF of 16 to 1,024 pixels a side and 128 KiB at most: an https address, a `file:` URL, or the path of a file. */
  logo?: string | URL
  /** As `logo`, square. Default: none. */
  favicon?: string | URL
  /** Buttons, links and marks. Default `#3a3d9e`. */
  accent?: string
  /** The card that the page's content lies on. Default `#ffffff`. */
  surface?: string
  /** The same for devices that are set to dark. Default: `accent` made light enough, and `#181a20`. */
  dark?: {
    /** A colour such as `#5cc8ab`. Default: `accent` made light enough. */
    accent?: string
    /** The colour behind the content. Default `#181a20`. */
    surface?: string
  }
  /** The radius of corners, 0 to 24 pixels. Default 8. */
  radius?: number
  /** Default `system`. */
  font?: BrandFont
  /** The address of the support for customers: https, an e-mail address or a phone number such as `+31 20 123 45 67`. */
  support?: string
  /** The terms, an https address. */
  terms?: string
  /** The privacy statement, an https address. */
  privacy?: string
}

/** WCAG AA: text, and what has to be seen to be used. */
const [textContrast, shapeContrast] = [4.5, 3]

/** As in the tokens of the pages' style. */
const defaults = {
  light: { accent: '#3a3d9e', surface: '#ffffff' },
  dark: { accent: '#a9acff', surface: '#181a20' },
}

/** A brand whose members take the place of another's. A name or a logo brings both, and an accent is that of the dark scheme too. */
export function brandOver(under: Brand, over: Brand = {}): Brand {
  const own = given(over)
  const { name, logo, dark, ...rest } = given(under)
  const { accent, ...darkRest } = given(dark ?? {})
  return {
    ...rest,
    ...(own.name === undefined && own.logo === undefined && given({ name, logo })),
    ...own,
    dark: { ...darkRest, ...(own.accent === undefined && given({ accent })), ...given(own.dark ?? {}) },
  }
}

/** Without the members that are `undefined`. */
const given = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T

/** Why the colours of a brand cannot be read, at a path such as `dark.surface`, with the nearest colour that can; or are none. */
export function colourFaults(brand: Brand): { path: string; message: string }[] {
  const faults: ReturnType<typeof tooNear>[] = []
  for (const [prefix, given, fallback] of [
    ['', brand, defaults.light],
    ['dark.', brand.dark ?? {}, defaults.dark],
  ] as const) {
    const [accent, surface] = (['accent', 'surface'] as const).map((name) => {
      const value = given[name]
      const colour = readColour(value)
      if (value !== undefined && colour === undefined)
        faults.push({ path: `${prefix}${name}`, message: 'is not a colour such as #3a3d9e' })
      return value === undefined ? undefined : colour
    })
    const sound = surface === undefined ? fallback.surface : nearest(surface, isSurface)!
    if (surface !== undefined && sound !== surface) faults.push(tooNear(`${prefix}surface`, surface, sound))
    const isAccent = standsOut(textContrast, [sound])
    if (accent !== undefined && !isAccent(accent))
      faults.push(tooNear(`${prefix}accent`, accent, nearest(accent, isAccent)))
  }
  return faults
}

/** Whether text can be read on it, and on the ground behind it. */
const isSurface = (colour: Colour): boolean =>
  standsOut(textContrast, [colour, groundOf(colour)])(textOn(colour))

const tooNear = (path: string, colour: Colour, better: Colour | undefined) => ({
  path,
  message: `is ${colour}, too hard to read beside the other colours${better === undefined ? '' : `: the nearest that can be read is ${better}`}`,
})

/** Behind the sheet: darker than it, in the dark too. */
const groundOf = (surface: Colour): Colour =>
  mixed(surface, '#000000', textOn(surface) === '#ffffff' ? 0.33 : 0.04)

/** The colour as it is, or the first that passes when all channels rise by the same: it gets lighter and keeps its chroma. */
function lifted(colour: Colour, passes: (colour: Colour) => boolean): Colour | undefined {
  for (let rise = 0; rise < steps; rise++) {
    const channels = channelsOf(colour).map((channel) => Math.min(channel + rise, 255))
    const found = colourOf(channels as unknown as Channels)
    if (passes(found)) return found
  }
  return undefined
}

/** The colours of states, which no brand changes. */
const states = { good: '#2b9a5a', wait: '#bd7a08', bad: '#d5443d' }

/** The colours of one scheme, by the names that styles give them. */
export type Scheme = Record<string, Colour>

/** The accent and what goes with it, on this surface and the ground behind it. */
function accentsOf(accent: Colour, surface: Colour): Scheme {
  const own = nearest(accent, standsOut(textContrast, [surface, groundOf(surface)])) ?? textOn(surface)
  const onAccent = textOn(own)
  return {
    accent: own,
    'accent-hover': mixed(own, onAccent === '#ffffff' ? '#000000' : '#ffffff', 0.2),
    'on-accent': onAccent,
    'accent-soft': mixed(surface, own, 0.09),
  }
}

/** The colours that follow from a surface, each moved towards black or white until it can be read on all it lies on. */
function surfaceScheme(surface: Colour, soft: Colour): Scheme {
  const strongest = textOn(surface)
  const ground = groundOf(surface)
  const readable = (colour: Colour, least = textContrast, more: Colour = soft) =>
    nearest(colour, standsOut(least, [surface, ground, more])) ?? strongest
  const stateColours = Object.entries(states).map(([name, colour]): Scheme => {
    const own = mixed(surface, colour, 0.13)
    const mark = readable(colour, shapeContrast, own)
    return { [name]: readable(colour, textContrast, own), [`${name}-soft`]: own, [`${name}-mark`]: mark }
  })
  return {
    surface,
    ground,
    sunken: mixed(surface, ground, 0.6),
    text: readable(mixed(strongest, surface, 0.1), 7),
    quiet: readable(mixed(strongest, surface, 0.35)),
    line: mixed(surface, strongest, 0.13),
    edge: readable(mixed(surface, strongest, 0.4), shapeContrast),
    focus: readable('#1f6feb', shapeContrast),
    'plain-soft': mixed(surface, strongest, 0.08),
    'plain-mark': readable(mixed(surface, strongest, 0.4), shapeContrast),
    ...Object.assign({}, ...stateColours),
  }
}

function schemeOf(accent: Colour | undefined, surface: Colour | undefined, own: typeof defaults.light) {
  if (accent === undefined && surface === undefined) return {}
  const accents = accentsOf(accent ?? own.accent, surface ?? own.surface)
  return surface === undefined ? accents : { ...surfaceScheme(surface, accents['accent-soft']!), ...accents }
}

/** The colours that a brand without faults changes. In the dark the accent of the light is lifted until it can be read well. */
export function schemesOf(brand: Brand): { light: Scheme; dark: Scheme } {
  const given = [brand.accent, brand.surface, brand.dark?.accent, brand.dark?.surface]
  const [accent, surface, dark, darkSurface] = given.map(readColour)
  const under = darkSurface ?? defaults.dark.surface
  const byLight = accent && (lifted(accent, standsOut(7, [under])) ?? accent)
  return {
    light: schemeOf(accent, surface, defaults.light),
    dark: schemeOf(dark ?? byLight, darkSurface, defaults.dark),
  }
}
