import type { Workings } from '../use-cases/workings.ts'
import { publicUrlMissing, type ReadConfiguration } from './configuration.ts'

/** Faults of a valid configuration that is not ready for real money. */
export function faultsOf(
  { publicUrl }: ReadConfiguration,
  workings: Workings,
  leftOut: readonly string[],
): string[] {
  const { store } = workings
  const faults: string[] = nobodyLeft(workings, leftOut)
  if (publicUrl === undefined) faults.push(publicUrlMissing)
  if (store.volatile) {
    faults.push(
      'the store keeps nothing: remove memoryStore(), and set store (PURVEYOR_DATABASE_URL) to a database URL',
    )
  }
  return faults
}

/** Production without an adapter would only seem to run. */
export function nobodyLeft({ rates, payments }: Workings, leftOut: readonly string[]): string[] {
  if (rates.length + payments.length > 0) return []
  const names = leftOut.map((name) => `"${name}"`).join(', ')
  return [
    `production leaves out ${names} (developmentOnly), and there is no other adapter. Give createProvider one for real rates or payments`,
  ]
}
