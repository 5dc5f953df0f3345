import type { Rating } from '../use-cases/workings.ts'
import { checkFallback, checkUnits } from './check-adapters.ts'
import type { RatesOptions } from './options.ts'

export function ratingOf({
  units = {},
  fallback = [],
  onNothing = 'empty',
  convert,
}: Omit<RatesOptions, 'adapters' | 'deadline'>): Rating {
  if (typeof units === 'object') checkUnits(units)
  if (typeof fallback === 'object') checkFallback(fallback)
  return {
    units: typeof units === 'function' ? units : () => units,
    fallback: typeof fallback === 'function' ? fallback : () => fallback,
    onNothing,
    convert,
  }
}
