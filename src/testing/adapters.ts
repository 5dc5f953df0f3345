import { register, type Test } from './adapter-case.ts'
import { type PaymentSubject, paymentCases } from './payment-cases.ts'
import { type RateSubject, rateCases } from './rate-cases.ts'

/** Registers the rules for every rate adapter as tests: `testRateAdapter({ test, adapter, to: { country: 'nl' } })`. */
export function testRateAdapter({ test, ...subject }: RateSubject & { test: Test }): void {
  register(test, rateCases, subject)
}

/** Registers the rules for every payment adapter as tests: `testPaymentAdapter({ test, adapter, push })`. */
export function testPaymentAdapter({ test, ...subject }: PaymentSubject & { test: Test }): void {
  register(test, paymentCases, subject)
}
