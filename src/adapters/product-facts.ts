import type { Quote } from '../contract/index.ts'

/** Every fact of a product that a shop can set. `letterbox`: it fits through a letterbox. */
export const productFacts = ['dangerous', 'cold', 'letterbox'] as const
/** A fact of a product. */
export type ProductFact = (typeof productFacts)[number]

/** The facts of products by their article codes. A product that is not in it has none. */
export type FactsByCode = ReadonlyMap<string, readonly ProductFact[]>

/** The cart (spec 2.4 quote) with the facts that the shop has set for its products. */
export type QuoteWithFacts = Omit<Quote, 'products'> & { products: QuoteProductWithFacts[] }

/** A line of the cart (spec 2.4 quote product). */
export type QuoteProductWithFacts = Quote['products'][number] & {
  /**
   * The facts of the product, by its article code. Not set where neither the shop nor the provider sets any. Reading it throws
   * `PRODUCT_FACTS_INVALID` while the file of the facts has never been without a fault.
   */
  facts?: readonly ProductFact[]
}

export const withFacts = (quote: Quote, facts: FactsByCode): QuoteWithFacts => ({
  ...quote,
  products: quote.products.map((product) => ({
    ...product,
    facts: (product.article_code !== undefined && facts.get(product.article_code.trim())) || [],
  })),
})

/** The cart without facts because of an error. Reading them throws it, and copies and cache keys do not read them. */
export function withoutFacts(quote: Quote, error: unknown): QuoteWithFacts {
  const get = () => {
    throw error
  }
  const withoutOne = (product: object) => Object.defineProperty({ ...product }, 'facts', { get })
  return { ...quote, products: quote.products.map(withoutOne) as QuoteWithFacts['products'] }
}
