import { expect, test } from 'vitest'
import { isClosedForLong, pointText } from '../../../src/rates/points/point-text.ts'

const point = { id: 'a', name: 'A', zipcode: '1', country: 'nl' }

test.each([
  [0, '50 m'],
  [0.97, '950 m'],
  [0.98, '1.0 km'],
  [12.34, '12.3 km'],
])('%d kilometres are %s', (kilometres, text) => {
  expect(pointText(point, kilometres, '2026-12-20')).toMatchObject({ en: text })
})

test('a week is seven days', () => {
  const week = ['20', '21', '22', '23', '24', '25', '26'].map((day) => `2026-12-${day}`)
  expect(isClosedForLong({ ...point, closed: week }, '2026-12-20')).toBe(true)
  expect(isClosedForLong({ ...point, closed: week }, '2026-12-21')).toBe(false)
})
