import type { PrepareContext } from '../../rates/adapter.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline, deadlineFetch } from '../deadline.ts'
import { withFallbacks } from '../with-fallbacks.ts'
import type { AnyRateAdapter, Workings } from '../workings.ts'

/** In milliseconds. */
const longest = 10_000

/** Reads the facts of products, then runs the `prepare` of all rate adapters, side by side. Rejects with the first failure. */
export async function prepareRates(workings: Workings): Promise<void> {
  await workings.rating.productFacts?.prepare(workings.world)
  await Promise.all(withFallbacks(workings.rates).map((adapter) => prepareAdapter(workings, adapter)))
}

/** Calls the `prepare` of an adapter, if it has one. Rejects with its error, and with `DeadlinePassed` after 10 s. */
export async function prepareAdapter(
  workings: Workings,
  adapter: Pick<AnyRateAdapter, 'name' | 'network' | 'prepare'>,
): Promise<void> {
  if (!adapter.prepare) return
  const { name, network } = adapter
  const { world } = workings
  const deadline = new Deadline(world, longest)
  const ctx: PrepareContext = {
    signal: deadline.signal,
    fetch: deadlineFetch(world, deadline, { name, network, kind: 'rates' }),
    now: world.now,
    log: world.log,
  }
  await callAdapter(workings, { adapter, call: 'prepare', deadline }, () => adapter.prepare?.(ctx))
}
