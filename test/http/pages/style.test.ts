import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Brand, fontStacks } from '../../../src/brand/brand.ts'
import { styleOf, stylesheet } from '../../../src/http/pages/style/style.ts'

const whole: Brand = {
  ...{ accent: '#b00020', surface: '#fdf6e3', dark: { accent: '#ff8da1', surface: '#10243a' } },
  ...{ radius: 24, font: 'system' },
}

test('the style in a payment page has at most 10 KB, also that of a brand which changes all of it', () => {
  for (const font of Object.keys(fontStacks) as (keyof typeof fontStacks)[])
    expect(styleOf({ ...whole, font }).css.length).toBeLessThanOrEqual(10_000)
})

test('the style of all other pages has at most 26 KB, 6.5 KB of them on the way', () => {
  const { content } = stylesheet.file
  expect(content.length).toBeLessThanOrEqual(26_000)
  expect(gzipSync(content).length).toBeLessThanOrEqual(6_500)
})

test('a brand without a look of its own adds nothing, and a member of it changes that alone', () => {
  const usual = styleOf({}).css
  expect(styleOf({ name: 'Bikes', support: 'help@bikes.example' }).css).toBe(usual)
  expect(styleOf({ radius: 2 }).css).toBe(`${usual}:root{--radius:2px}`)
})
