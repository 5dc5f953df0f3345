import { isDeepStrictEqual } from 'node:util'
import { services } from '../../payments/sequences/all.ts'
import { expectedOf, outcomeOf } from '../../payments/sequences/outcome.ts'
import type { Found } from '../found.ts'

/** Every sequence of a payment service's documentation leads to its status, ledger, anomalies and webhooks. */
export async function trySequences(): Promise<Found> {
  const all = Object.entries(services).flatMap(([service, sequences]) =>
    sequences.map((sequence) => ({ service, sequence })),
  )
  const violations = all.flatMap(({ service, sequence }) => {
    const [found, expected] = [outcomeOf(sequence), expectedOf(sequence)]
    if (isDeepStrictEqual(found, expected)) return []
    return [`${service}, ${sequence.name}: ${JSON.stringify(found)}, expected is ${JSON.stringify(expected)}`]
  })
  return { tries: all.length, violations }
}
