import { wrongCall } from '../errors.ts'
import { register, type Test } from './adapter-case.ts'
import { type PaymentSubject, paymentCases } from './payment-cases.ts'
import { type RateSubject, rateCases } from './rate-cases.ts'

/** Registers the rules for every rate adapter as tests: `testRateAdapter({ test, adapter, to: { country: 'nl' } })`. */
export function testRateAdapter(given: RateSubject & { test: Test }): void {
  const { test, ...subject } = takenBy('testRateAdapter', given)
  register(test, rateCases, subject)
}

/** Registers the rules for every payment adapter as tests: `testPaymentAdapter({ test, adapter, push })`. */
export function testPaymentAdapter(given: PaymentSubject & { test: Test }): void {
  const { test, ...subject } = takenBy('testPaymentAdapter', given)
  register(test, paymentCases, subject)
}

function takenBy<T extends { test: Test; adapter: object }>(call: string, given: T): T {
  const { test, adapter } = Object(given) as Partial<T>
  if (typeof test === 'function' && typeof adapter === 'object' && adapter !== null) return given
  throw wrongCall(`${call}() takes an object such as { test, adapter }`)
}
