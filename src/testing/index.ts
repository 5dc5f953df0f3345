/// <reference types="node" preserve="true" />
export { type CheckedShop, type CheckOptions, type CheckReport, checkProvider } from '../conformance/index.ts'
export { checkoutBody, estimateBody, paymentBody } from '../messages/bodies.ts'
export type { NamedShop } from '../messages/live.ts'
export type {
  CheckoutBodyOptions,
  Customer,
  DeliveryAddress,
  Destination,
  LineOptions,
  MessageOptions,
  PaymentBodyOptions,
} from '../messages/options.ts'
export type { PresetName } from '../messages/presets.ts'
export type { Product } from '../messages/products.ts'
export type { MovingClock, Stop } from '../sandbox/clock.ts'
export type { AdapterCase, RunningTest, Test } from './adapter-case.ts'
export { type ForgedPush, forgedPushes } from './forged.ts'
export { type PaymentSubject, paymentCases, testPaymentAdapter } from './payment-cases.ts'
export {
  movableClock,
  type StartableProvider,
  type StartOptions,
  startSandbox,
  testProvider,
} from './provider.ts'
export { type RateSubject, rateCases, testRateAdapter } from './rate-cases.ts'
export type { Surroundings } from './subjects.ts'
