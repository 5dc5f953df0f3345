import { expect, test } from 'vitest'
import { isCountry, noCountry } from '../../../src/rates/files/cells.ts'

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at))
const all = letters.flatMap((one) => letters.map((other) => one + other)).filter(isCountry)

test('only codes in use are countries, each with a name of its own', () => {
  expect(['nl', 'gb', 'xk', 'ro', 'cz'].filter((code) => !isCountry(code))).toEqual([])
  const gone = 'dy rh vd hv nh yd uk eu ez un zz xa xb qo an cs su yu dd fx tp zr bu'.split(' ')
  expect(gone.filter(isCountry)).toEqual([])
  const names = new Intl.DisplayNames('en', { type: 'region' })
  expect(new Set(all.map((code) => names.of(code.toUpperCase()))).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(248)
})

test.each([
  ['dy', 'dy is not a country: write bj'],
  ['VD', 'VD is not a country: write vn'],
  ['NL', 'NL is not a country: write nl'],
  ['uk', 'uk is not a country: write gb'],
  ['el', 'el is not a country: write gr'],
  ['xx', 'xx is not a country: write two letters such as nl'],
  ['ned', 'ned is not a country: write two letters such as nl'],
])('%s is refused with what to write', (code, words) => {
  expect(noCountry(code)).toBe(words)
})
