import { expect, test } from 'vitest'
import {
  type Brand,
  brandOver,
  type Colour,
  colourFaults,
  contrast,
  nearest,
  readColour,
  type Scheme,
  schemesOf,
  standsOut,
  textOn,
} from '../../src/brand/brand.ts'
import { tokens } from '../../src/http/pages/style/common.css.ts'

test.each<[string, Brand, string[]]>([
  ['nothing', {}, []],
  [
    'colours that can be read',
    { accent: '#0055aa', surface: '#fff', dark: { accent: '#7fb8ff', surface: '#111' } },
    [],
  ],
  [
    'an accent too light',
    { accent: '#ffcc00' },
    ['accent is #ffcc00, too hard to read beside the other colours: the nearest that can be read is #'],
  ],
  [
    'an accent too near its surface',
    { accent: '#333333', surface: '#222222' },
    ['accent is #333333, too hard to read'],
  ],
  [
    'a dark accent in the dark',
    { dark: { accent: '#0b3050' } },
    ['dark.accent is #0b3050, too hard to read'],
  ],
  ['a surface between light and dark', { surface: '#777777' }, ['surface is #777777, too hard to read']],
  [
    'no colours',
    { accent: 'red', surface: 'url(x)', dark: { accent: '' } },
    [
      'accent is not a colour such as #3a3d9e',
      'surface is not a colour such as',
      'dark.accent is not a colour',
    ],
  ],
])('%s', (_name, brand, expected) => {
  const faults = colourFaults(brand).map(({ path, message }) => `${path} ${message}`)
  expect(faults).toEqual(expected.map((text) => expect.stringContaining(text)))
})

test('the nearest colour that a fault names is taken', () => {
  for (const brand of [
    { accent: '#ffcc00' },
    { surface: '#777777' },
    { surface: '#8a8a8a' },
    { accent: '#888', surface: '#777777' },
  ]) {
    const better: Brand = { ...brand }
    for (const { path, message } of colourFaults(brand))
      Object.assign(better, { [path]: /is (#[\da-f]{6})$/.exec(message)?.[1] })
    expect(colourFaults(better), JSON.stringify(better)).toEqual([])
  }
})

/** Our own colours, which a brand writes over. */
const ours = (scheme: 'light' | 'dark'): Scheme => {
  const [light = '', dark = ''] = tokens.split('@media')
  const found = (scheme === 'light' ? light : dark).matchAll(/--([\w-]+):(#[\da-f]+)/g)
  return Object.fromEntries([...found].map(([, name, colour]) => [name!, readColour(colour)!]))
}

/** What a page shows by this brand. */
const shown = (brand: Brand, scheme: 'light' | 'dark'): Scheme => ({
  ...ours(scheme),
  ...schemesOf(brand)[scheme],
})

const schemes = ['light', 'dark'] as const

test('every scheme of a brand without faults can be read: text 4.5, edges, marks and focus 3', () => {
  const colours = [
    ...['#0b5c4a', '#ffffff', '#000000', '#ffcc00', '#8b0000', '#223366', '#e0e0ff', '#fdf6e3', '#101010'],
    '#5a2a82',
  ]
  const brands = colours.flatMap((accent) =>
    colours.map((surface): Brand => ({ accent, surface, dark: { accent: surface, surface: accent } })),
  )
  const accents = colours.map((accent): Brand => ({ accent }))
  const sound = [...brands, ...accents].filter((brand) => colourFaults(brand).length === 0)
  expect(sound.length).toBeGreaterThan(20)
  for (const brand of [...sound, {}])
    for (const scheme of schemes) {
      const of = shown(brand, scheme)
      const least = (name: string, on: string, figure: number) =>
        expect(
          contrast(of[name]!, of[on]!),
          `${name} on ${on} in ${scheme} of ${JSON.stringify(brand)}`,
        ).toBeGreaterThanOrEqual(figure)
      for (const name of ['text', 'quiet', 'accent', 'good', 'wait', 'bad'])
        for (const on of ['surface', 'ground']) least(name, on, 4.5)
      for (const on of ['accent', 'accent-hover']) least('on-accent', on, 4.5)
      for (const on of ['accent-soft', 'plain-soft', 'sunken']) least('text', on, 4.5)
      for (const state of ['good', 'wait', 'bad']) {
        for (const name of [state, 'text']) least(name, `${state}-soft`, 4.5)
        for (const on of ['surface', `${state}-soft`]) least(`${state}-mark`, on, 3)
      }
      for (const name of ['edge', 'focus', 'plain-mark']) least(name, 'surface', 3)
    }
})

test('a brand changes the colours that follow from its own, and no other', () => {
  expect(schemesOf({ name: 'Bikes', radius: 2 })).toEqual({ light: {}, dark: {} })
  const { light, dark } = schemesOf({ accent: '#b00020' })
  const ofAccent = ['accent', 'accent-hover', 'on-accent', 'accent-soft']
  expect([Object.keys(light), Object.keys(dark)]).toEqual([ofAccent, ofAccent])
  expect(light.accent).toBe('#b00020')
  expect(schemesOf({ dark: { surface: '#222222' } }).light).toEqual({})
})

test.each<Brand>([{}, { surface: '#fdf6e3' }, { surface: '#20242c', dark: { surface: '#20242c' } }])(
  'with %j the ground is darker than the card, in the dark too',
  (brand) => {
    for (const scheme of schemes) {
      const { ground, surface } = shown(brand, scheme)
      expect(contrast('#ffffff', ground!), scheme).toBeGreaterThan(contrast('#ffffff', surface!))
    }
  },
)

/** The difference of the strongest and the weakest channel: 0 for greys. */
const chroma = (colour: Colour): number => {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return Math.max(...channels) - Math.min(...channels)
}

test.each(['#3b3f98', '#0b5c4a', '#5a2a82', '#b00020', '#1d4ed8', '#223366'])(
  'the accent %s keeps its chroma in the dark',
  (accent) => {
    const dark = schemesOf({ accent }).dark.accent!
    expect(contrast(dark, '#181a20')).toBeGreaterThanOrEqual(7)
    // A channel at its end holds back the others.
    const isAtEnd = /ff/.test(dark.replace(/^#(..)(..)(..)$/, '$1 $2 $3'))
    expect(chroma(dark)).toBeGreaterThan(chroma(accent) * (isAtEnd ? 0.6 : 0.98))
  },
)

test.each<[string, Brand, Brand, Brand]>([
  [
    'a member that is not defined leaves the other',
    { logo: 'a.png', radius: 2 },
    { radius: undefined },
    { logo: 'a.png', radius: 2 },
  ],
  [
    'a name comes without the logo of another',
    { name: 'Provider', logo: 'a.png' },
    { name: 'Shop' },
    { name: 'Shop' },
  ],
  ['a logo comes without the name of another', { name: 'Provider' }, { logo: 'a.png' }, { logo: 'a.png' }],
  [
    'an accent is that of the dark scheme too',
    { accent: '#0b5c4a', dark: { accent: '#5cc8ab', surface: '#111111' } },
    { accent: '#b00020' },
    { accent: '#b00020', dark: { surface: '#111111' } },
  ],
  [
    'a dark surface leaves the other dark accent',
    { dark: { accent: '#5cc8ab' } },
    { dark: { surface: '#111111' } },
    { dark: { accent: '#5cc8ab', surface: '#111111' } },
  ],
])('brands on top of each other: %s', (_name, under, over, expected) => {
  expect(brandOver(under, over as Brand)).toEqual({ dark: {}, ...expected })
})

test.each([
  ['#0B5C4A', '#0b5c4a'],
  ['#fA0', '#ffaa00'],
  ['0b5c4a', undefined],
  ['#0b5c4', undefined],
  ['#0b5c4a;background:url(https://x)', undefined],
  ['red', undefined],
  ['rgb(1,2,3)', undefined],
  [' #fff', undefined],
  ['#ffffff\n', undefined],
  [7, undefined],
  [undefined, undefined],
])('%j is read as %j', (given, expected) => {
  expect(readColour(given)).toBe(expected)
})

// The figures of the examples in WCAG and of its calculators.
test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
  ['#0000ff', '#ffffff', 8.59],
  ['#123456', '#123456', 1],
])('the contrast of %s and %s is %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

const every = Array.from(
  { length: 512 },
  (_, at) =>
    readColour(
      `#${[at >> 6, (at >> 3) & 7, at & 7].map((part) => (part * 36).toString(16).padStart(2, '0')).join('')}`,
    )!,
)

test('the nearest colour passes, and one that passes stays as it is', () => {
  for (const colour of every) {
    const found = nearest(colour, standsOut(4.5, ['#ffffff', '#f6f7f9']))!
    expect(contrast(found, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(found, '#f6f7f9')).toBeGreaterThanOrEqual(4.5)
    if (contrast(colour, '#ffffff') >= 4.5 && contrast(colour, '#f6f7f9') >= 4.5) expect(found).toBe(colour)
  }
  expect(nearest('#ffcc00', standsOut(4.5, ['#ffffff']))).toMatch(/^#[\da-f]{6}$/)
  // Nothing can be read on both.
  expect(nearest('#888888', standsOut(7, ['#000000', '#ffffff']))).toBeUndefined()
})

test('text on any colour can be read', () => {
  for (const colour of every) expect(contrast(textOn(colour), colour)).toBeGreaterThanOrEqual(4.5)
})
