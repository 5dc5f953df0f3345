import { expect, test } from 'vitest'
import { supportAddress } from '../../src/brand/brand.ts'
import { brandSchema } from '../../src/brand/brand-schema.ts'
import { optionFaults } from '../../src/checked-options.ts'

const faults = (brand: unknown, images: 'https' | 'files' = 'https') =>
  optionFaults(brandSchema(images), brand).map(({ path, message }) => `${path} ${message}`)

test('a whole brand is read', () => {
  const brand = {
    name: 'Fietsen & Zo',
    logo: 'https://bikes.example/logo.png',
    favicon: 'https://bikes.example/icon.png',
    accent: '#0b5c4a',
    surface: '#FFF',
    dark: { accent: '#5cc8ab', surface: '#101418' },
    radius: 12,
    font: 'humanist',
    support: 'help@bikes.example',
    terms: 'https://bikes.example/terms',
    privacy: 'https://bikes.example/privacy',
  }
  expect(faults(brand)).toEqual([])
  expect(faults({ logo: './logo.png' }, 'files')).toEqual([])
  expect(faults({ logo: new URL('./logo.png', import.meta.url) }, 'files')).toEqual([])
})

test.each([
  [
    { accent: '#ffcc00' },
    /^accent is #ffcc00, too hard to read .* the nearest that can be read is #[\da-f]{6}$/,
  ],
  [{ dark: { surface: 'expression(alert(1))' } }, /^dark\.surface is not a colour such as #3a3d9e$/],
  [{ accent: ['#000'] }, /^accent is not a colour/],
  [{ logo: './logo.png' }, /^logo must be an https address$/],
  [{ logo: 'https://user:pw@bikes.example/logo.png' }, /^logo must be an https address$/],
  [{ logo: 'http://bikes.example/logo.png' }, /^logo must be an https address$/],
  [{ logo: 'data:image/svg+xml,<svg onload=alert(1)>' }, /^logo must be an https address$/],
  [{ terms: 'javascript:alert(1)' }, /^terms must be an https address$/],
  [{ privacy: `https://bikes.example/${'a'.repeat(2_000)}` }, /^privacy must be at most 2,000 characters$/],
  [{ font: 'Comic Sans; }' }, /^font must be one of system, humanist, geometric, rounded, serif$/],
  [{ radius: '8px' }, /^radius must be a number of pixels$/],
  [{ radius: 99 }, /^radius must be at most 24$/],
  [{ name: ' ' }, /^name must not be empty$/],
  [{ name: 'a\u202eb' }, /^name must not hold characters that cannot be seen$/],
  [{ name: 'x'.repeat(61) }, /^name must be at most 60 characters$/],
  [
    { support: 'javascript:alert(1)' },
    /^support must be an https address, an e-mail address or a phone number/,
  ],
  [{ colour: '#000' }, /^colour is not an option: /],
  ['#000', /must be an object$/],
])('%j is refused', (brand, words) => {
  expect(faults(brand)).toEqual([expect.stringMatching(words)])
})

test.each([
  ['help@bikes.example', 'mailto:help@bikes.example'],
  ['+31 (0)20 123-45.67', 'tel:+310201234567'],
  ['https://bikes.example/help', 'https://bikes.example/help'],
  ['help@bikes.example?bcc=x@y.example', undefined],
  ['tel:112', undefined],
  ['http://bikes.example', undefined],
])('support %s is %s', (given, expected) => {
  expect(supportAddress(given)).toBe(expected)
})
