import { expect, test } from 'vitest'
import {
  hadTooMany,
  mostForms,
  pauseLeft,
  withForm,
  withStep,
} from '../../../src/payments/pages/page-form.ts'

const none = { forms: 0, fruitless: 0, nextAt: 0 }

test('the first pause follows the fifth form that came to nothing, and pauses grow from a second to five minutes', () => {
  const pauses: number[] = []
  let count = none
  for (let form = 0; form < mostForms; form++) {
    count = withForm(count, 0)
    pauses.push(pauseLeft(count, 0) / 1_000)
  }
  expect(pauses.slice(0, 14)).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
  expect(new Set(pauses.slice(14))).toEqual(new Set([300]))
})

test('a step that goes on is counted as a form, and causes no pause', () => {
  let count = none
  for (let form = 0; form < 10; form++) count = withStep(withForm(count, 0))
  expect(count).toEqual({ forms: 10, fruitless: 0, nextAt: 0 })
})

test('a step between others makes their pauses no shorter', () => {
  let count = none
  for (let form = 0; form < 6; form++) count = withForm(count, 0)
  expect(pauseLeft(withForm(withStep(withForm(count, 0)), 0), 0)).toBe(4_000)
})

test('a clock that was set back makes no pause longer', () => {
  expect(pauseLeft({ ...none, nextAt: 86_400_000 }, 0)).toBe(0)
})

test('an order has twice as many forms as an attempt, whatever its attempts have', () => {
  const had = (...forms: number[]) => {
    const counts = forms.map((one) => ({ ...none, forms: one }))
    return hadTooMany(counts[0]!, counts)
  }
  expect([had(29), had(30), had(0, 29, 30), had(0, 30, 30), had(1, 30, 29)]).toEqual([
    ...[false, true, false, true],
    true,
  ])
  expect([hadTooMany({ ...none, forms: 2 }, [], 3), hadTooMany({ ...none, forms: 3 }, [], 3)]).toEqual([
    ...[false, true],
  ])
})
