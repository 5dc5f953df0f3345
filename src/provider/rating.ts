import { FactsOfFiles } from '../adapters/product-facts/product-facts-source.ts'
import type { Rating } from '../use-cases/workings.ts'
import type { RatesOptions } from './options.ts'

export function ratingOf({
  units = {},
  fallback = [],
  onNothing = 'empty',
  convert,
  productFacts,
}: Omit<RatesOptions, 'adapters' | 'deadline'>): Rating {
  return {
    units: typeof units === 'function' ? units : () => units,
    fallback: typeof fallback === 'function' ? fallback : () => fallback,
    onNothing,
    convert,
    productFacts: productFacts && new FactsOfFiles(productFacts),
  }
}
