import type { AdapterExplanation } from '../../rates/explanation.ts'
import type { MaybePromise } from '../../world.ts'

/**
 * Makes sure that every promise is true when it is sent: an answer whose `goodUntil` passed while other adapters were awaited is asked for
 * once more, and is left out if the new one has passed too.
 */
export function stillTrue(
  answers: readonly AdapterExplanation[],
  now: () => number,
  askAgain: (place: number) => MaybePromise<AdapterExplanation>,
): MaybePromise<readonly AdapterExplanation[]> {
  if (!answers.some((answer) => hasPassed(answer, now()))) return answers
  return (async () => {
    const again = await Promise.all(
      answers.map(async (answer, place) => (hasPassed(answer, now()) ? askAgain(place) : answer)),
    )
    return again.map((answer) => (hasPassed(answer, now()) ? withoutMethods(answer) : answer))
  })()
}

const hasPassed = ({ goodUntil, methods }: AdapterExplanation, now: number): boolean =>
  goodUntil !== undefined && goodUntil <= now && methods.length > 0

function withoutMethods(answer: AdapterExplanation): AdapterExplanation {
  const reason = 'its goodUntil has passed'
  const leftOut = answer.methods.map(({ id }, place) => ({ place: place + 1, id, reason }))
  return { ...answer, result: 'none', reason, methods: [], leftOut: [...answer.leftOut, ...leftOut] }
}
