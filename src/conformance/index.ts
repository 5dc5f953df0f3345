export type { ConformanceCase, Level, Topic } from './case.ts'
export { conformanceCases } from './cases/index.ts'
export {
  type CaseResult,
  type CheckOptions,
  type CheckReport,
  checkProvider,
  EndpointUnusable,
} from './check.ts'
export { junitOf } from './junit.ts'
