import type { RateQuestion } from '../../rates/adapter.ts'
import { type FactsByCode, withFacts, withoutFacts } from '../../rates/product-facts.ts'
import { isPromise, type MaybePromise } from '../../world.ts'
import type { Deadline } from '../deadline.ts'
import type { Workings } from '../workings.ts'

/**
 * The question with the facts of its products: those of the provider's file, and for the articles that the shop has set itself the shop's. A
 * file that cannot be read fails only the adapters that read facts.
 */
export function questionWithFacts(
  { rating: { productFacts: source }, world }: Workings,
  shop: { id: string },
  own: FactsByCode | undefined,
  question: RateQuestion,
  deadline: Deadline,
): MaybePromise<RateQuestion> {
  if (!source) return own ? changed(question, own) : question
  const added = (facts: FactsByCode | undefined) => {
    const all = facts && own ? new Map([...facts, ...own]) : (facts ?? own)
    return all ? changed(question, all) : question
  }
  const failed = (error: unknown) => changed(question, error)
  try {
    const loaded = source.of({ id: shop.id }, world.now)
    return isPromise(loaded) ? deadline.wait(loaded).then(added, failed) : added(loaded)
  } catch (error) {
    return failed(error)
  }
}

function changed(question: RateQuestion, facts: unknown): RateQuestion {
  const { quote } = 'request' in question ? question.request : question.estimate
  const read = facts instanceof Map ? withFacts(quote, facts) : withoutFacts(quote, facts)
  return 'request' in question
    ? { request: { ...question.request, quote: read } }
    : { estimate: { ...question.estimate, quote: read } }
}
