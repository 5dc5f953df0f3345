import { inLanguage, joinTexts, type LocalText } from '../adapters/local-text.ts'
import type { OfferedShipmentMethod } from '../adapters/offered-methods.ts'
import { earlier } from '../adapters/offered-methods.ts'
import type { MaybePromise } from '../world.ts'
import type { RateAdapter, RateAnswer, RateContext, ShownPromise } from './adapter.ts'

type Titled = Pick<OfferedShipmentMethod, 'title' | 'description' | 'goodUntil'>

/** The methods with promises in their words. With `language` they have one text each, in this language. */
export function promisedMethods<M>(
  methods: readonly M[],
  promises: readonly ShownPromise[],
  language?: string,
): M[] {
  const local = (text: LocalText) =>
    language === undefined ? text : (inLanguage(text, language) as LocalText)
  return promises.reduce<M[]>(
    (before, { text, show, goodUntil }) =>
      before.map((method) => {
        if (typeof method !== 'object' || method === null) return method
        const { title, description, goodUntil: end } = method as unknown as Titled
        const words =
          show === 'title'
            ? { title: joinTexts(title, local(text), ' · ') }
            : { description: joinTexts(local(text), description, ' · ') }
        return { ...method, ...words, goodUntil: earlier(end, goodUntil) }
      }),
    [...methods],
  )
}

/** The answer of an adapter with its promises, as an adapter that holds it gets it. */
export function withPromises(
  // biome-ignore lint/suspicious/noExplicitAny: any set of needs, any settings
  { promises }: RateAdapter<any, any>,
  answer: RateAnswer,
  to: { country?: string | undefined },
  ctx: RateContext,
): MaybePromise<RateAnswer> {
  if (!promises || !Array.isArray(answer)) return answer
  return (async () => promisedMethods(answer, await promises(to, ctx)))()
}
