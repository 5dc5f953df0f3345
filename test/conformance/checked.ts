import { type CheckOptions, type CheckReport, checkProvider } from '../../src/conformance/index.ts'
import { type Change, plainProvider } from './plain-provider.ts'

/** What the checker reports of a plain provider with these changes, which ends with the check. */
export async function checked(change: Change = () => ({}), options: CheckOptions = {}): Promise<CheckReport> {
  const { endpoint, close } = await plainProvider(change)
  return checkProvider(endpoint, options).finally(close)
}

/** Everything but what passed and what the machine has not, as `result name: received`. */
export const complaintsIn = ({ results }: CheckReport): string[] =>
  results.flatMap(({ result, name, received }) =>
    result === 'failed' || result === 'advice' ? [`${result} ${name}: ${received}`] : [],
  )
