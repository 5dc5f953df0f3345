import { expect, test } from 'vitest'
import type { Fact } from '../../../src/payments/facts.ts'
import type { Attempt } from '../../../src/payments/payment.ts'
import { isPageOver } from '../../../src/use-cases/payments/submit-page.ts'

const fact = (kind: Fact['kind'], source: Fact['source']) => ({ kind, source, at: 1 }) as Fact
const attempt = (...facts: Fact[]) => ({ facts }) as unknown as Attempt

test('the page of a live attempt is over once a form of it was handled, whatever else was reported', () => {
  expect(isPageOver(attempt())).toBe(false)
  expect(isPageOver(attempt(fact('pending', 'push')))).toBe(false)
  expect(isPageOver(attempt(fact('pending', 'page')))).toBe(true)
  expect(isPageOver(attempt(fact('pending', 'push'), fact('pending', 'page')))).toBe(true)
})

test('the page of an attempt that has ended is over without any form', () => {
  for (const kind of ['paid', 'cancelled', 'expired'] as const)
    expect(isPageOver(attempt(fact(kind, 'push')))).toBe(true)
})
