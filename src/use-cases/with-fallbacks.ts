import type { AnyRateAdapter } from './workings.ts'

/** Rate adapters with those that answer when they fail. */
export const withFallbacks = (adapters: readonly AnyRateAdapter[]): AnyRateAdapter[] =>
  adapters.flatMap((one): AnyRateAdapter[] =>
    one.fallback ? [one, ...withFallbacks([one.fallback])] : [one],
  )
