/// <reference types="node" preserve="true" />
import type { ConformanceCase } from './case.ts'
import { allCases } from './cases/index.ts'

export type { CheckedShop } from '../messages/options.ts'
export type { ConformanceCase, Level, Topic } from './case.ts'
export {
  type CaseResult,
  type CheckOptions,
  type CheckPlan,
  type CheckReport,
  checkProvider,
} from './check.ts'
export { junitOf } from './junit.ts'
export type { TestOrders } from './tidy.ts'
/** Every case, topic by topic. */
export const conformanceCases: readonly ConformanceCase[] = allCases
