import { type Colour, mixed, nearest, readColour, standsOut, textOn } from './colour.ts'

/** Stacks of fonts that devices have: a page loads none. */
export const fontStacks = {
  system: 'system-ui, sans-serif',
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
  /** Buttons, links and marks. Default `#0b5c4a`. */
  accent?: string
  /** The card that the page's content lies on. Default `#ffffff`. */
  surface?: string
  /** The same for devices that are set to dark. Default: `accent` made light enough, and `#1b1f24`. */
  dark?: {
    /** A colour such as `#5cc8ab`. Default: `accent` made light enough. */
    accent?: string
    /** The colour behind the content. Default `#1b1f24`. */
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

/** The colours of one scheme, each readable on those it lies on. */
export interface Scheme {
  surface: Colour
  /** Behind the card. */
  ground: Colour
  text: Colour
  /** Hints and labels. */
  quiet: Colour
  line: Colour
  /** The edges of fields: they have to be seen to be used. */
  edge: Colour
  accent: Colour
  onAccent: Colour
  accentHover: Colour
  error: Colour
  focus: Colour
}

/** WCAG AA: text, and what has to be seen to be used. */
const [textContrast, shapeContrast] = [4.5, 3]

const defaults = {
  light: { accent: '#0b5c4a', surface: '#ffffff' },
  dark: { accent: '#5cc8ab', surface: '#1b1f24' },
} as const

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

export interface BrandFault {
  /** Such as `accent` or `dark.surface`. */
  path: string
  message: string
}

/** Why the colours of a brand cannot be read, each with the nearest colour that can. Colours that are none are faults too. */
export function colourFaults(brand: Brand): BrandFault[] {
  const faults: BrandFault[] = []
  for (const [prefix, given, fallback] of [
    ['', brand, defaults.light],
    ['dark.', brand.dark ?? {}, defaults.dark],
  ] as const) {
    const [accent, surface] = (['accent', 'surface'] as const).map((name) => {
      const value = given[name]
      const colour = readColour(value)
      if (value !== undefined && colour === undefined)
        faults.push({ path: `${prefix}${name}`, message: 'is not a colour such as #0b5c4a' })
      return value === undefined ? undefined : colour
    })
    if (surface !== undefined && !isSurface(surface))
      faults.push(tooNear(`${prefix}surface`, surface, nearest(surface, isSurface)))
    const isAccent = standsOut(textContrast, [surface ?? fallback.surface])
    if (accent !== undefined && !isAccent(accent))
      faults.push(tooNear(`${prefix}accent`, accent, nearest(accent, isAccent)))
  }
  return faults
}

/** Whether text can be read on it, and on the ground behind it. */
const isSurface = (colour: Colour): boolean =>
  standsOut(textContrast, [colour, groundOf(colour)])(textOn(colour))

const tooNear = (path: string, colour: Colour, better: Colour | undefined): BrandFault => ({
  path,
  message: `is ${colour}, too hard to read beside the other colours${better === undefined ? '' : `: the nearest that can be read is ${better}`}`,
})

const groundOf = (surface: Colour): Colour => mixed(surface, textOn(surface), 0.045)

/** The colours of a scheme, made of the two that a brand chooses. Each is moved towards black or white until it can be read. */
function schemeOf({ accent, surface }: { accent: Colour; surface: Colour }): Scheme {
  const strongest = textOn(surface)
  const ground = groundOf(surface)
  const both = [surface, ground]
  const readable = (colour: Colour, least = textContrast, against: readonly Colour[] = both) =>
    nearest(colour, standsOut(least, against)) ?? strongest
  const own = readable(accent)
  return {
    surface,
    ground,
    text: readable(mixed(strongest, surface, 0.1), 7),
    quiet: readable(mixed(strongest, surface, 0.35)),
    line: mixed(surface, strongest, 0.15),
    edge: readable(mixed(surface, strongest, 0.4), shapeContrast),
    accent: own,
    onAccent: textOn(own),
    accentHover: mixed(own, textOn(own) === '#ffffff' ? '#000000' : '#ffffff', 0.2),
    error: readable('#b42318'),
    focus: readable('#1f6feb', shapeContrast),
  }
}

/** The light and the dark scheme of a brand without faults. */
export function schemesOf(brand: Brand): { light: Scheme; dark: Scheme } {
  const light = {
    accent: readColour(brand.accent) ?? defaults.light.accent,
    surface: readColour(brand.surface) ?? defaults.light.surface,
  }
  const surface = readColour(brand.dark?.surface) ?? defaults.dark.surface
  const accent =
    readColour(brand.dark?.accent) ?? (brand.accent === undefined ? defaults.dark.accent : light.accent)
  return { light: schemeOf(light), dark: schemeOf({ accent, surface }) }
}
