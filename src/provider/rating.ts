import type { Rating } from '../use-cases/workings.ts'
import type { RatesOptions } from './options.ts'

export function ratingOf({
  units = {},
  fallback = [],
  onNothing = 'empty',
  convert,
}: Omit<RatesOptions, 'adapters' | 'deadline'>): Rating {
  return {
    units: typeof units === 'function' ? units : () => units,
    fallback: typeof fallback === 'function' ? fallback : () => fallback,
    onNothing,
    convert,
  }
}
