export type { Message } from '../messages/exact.ts'
export type { CheckedShop } from '../messages/options.ts'
export type { Pressed } from '../sandbox/scenarios/payment-page.ts'
/// <reference types="node" preserve="true" />
export type { AcceptedStart, MessagePath, Offered, Started } from './answers.ts'
export type { ConformanceCase, Level, Topic } from './case.ts'
export { conformanceCases } from './cases/index.ts'
export {
  type CaseResult,
  type CheckOptions,
  type CheckPlan,
  type CheckReport,
  checkProvider,
} from './check.ts'
export type { Exchange, Sent } from './exchange.ts'
export { junitOf } from './junit.ts'
export type { ReceivedCall, Receiver, WebhookAnswer } from './receiver.ts'
export type { Target, TargetOptions } from './target.ts'
export type { TestOrders } from './tidy.ts'
