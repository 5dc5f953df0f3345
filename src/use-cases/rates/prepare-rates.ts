import type { PrepareContext } from '../../rates/adapter.ts'
import { Deadline, deadlineFetch } from '../deadline.ts'
import type { AnyRateAdapter, Workings } from '../workings.ts'
import { withFallbacks } from './with-fallbacks.ts'

/** In milliseconds. */
const longest = 10_000

/** Reads the facts of products, then runs the `prepare` of all rate adapters, side by side. Rejects with the first failure. */
export async function prepareRates({ rates, rating, world }: Workings): Promise<void> {
  await rating.productFacts?.prepare(world)
  await Promise.all(
    withFallbacks(rates).map(async (adapter) => {
      if (!adapter.prepare) return
      const deadline = new Deadline(world, longest)
      await deadline.wait(Promise.resolve(adapter.prepare(contextOf(world, adapter, deadline))))
    }),
  )
}

const contextOf = (
  world: Workings['world'],
  { name, network }: AnyRateAdapter,
  deadline: Deadline,
): PrepareContext => ({
  signal: deadline.signal,
  fetch: deadlineFetch(world, deadline, { name, network, kind: 'rates' }),
  now: world.now,
  log: world.log,
})
