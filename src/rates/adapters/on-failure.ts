import type { AnyRateAdapter } from '../../any-adapter.ts'
import { wrongOptions } from '../../errors/errors.ts'
import { isAdapter } from '../options.ts'

/**
 * The adapter with a fallback: an adapter that answers when this one failed or is skipped, and never when it refused. Nothing else of the
 * adapter changes. It has nine tenths of the deadline. A fallback without settings gets those of the adapter.
 *
 * Throws `CONFIGURATION_INVALID` if one of them is no adapter, or if only the fallback is for development.
 */
export function onFailure<A extends AnyRateAdapter>(adapter: A, fallback: AnyRateAdapter): A {
  for (const [place, one] of Object.entries({ adapter, fallback }))
    if (!isAdapter(one)) throw wrongOptions(`onFailure(): the ${place} has no quote()`)
  if (fallback.developmentOnly && !adapter.developmentOnly)
    throw wrongOptions(
      `onFailure(): the fallback "${fallback.name}" is developmentOnly, and "${adapter.name}" is not`,
    )
  if (adapter.fallback) return withMembers(adapter, { fallback: onFailure(adapter.fallback, fallback) })
  const { settings, settingsName = adapter.name } = adapter
  const own = fallback.settings || !settings ? fallback : withMembers(fallback, { settings, settingsName })
  return withMembers(adapter, { fallback: own })
}

/** A copy with other members. Methods of a class are called on the adapter itself. */
function withMembers<A extends AnyRateAdapter>(adapter: A, members: Partial<AnyRateAdapter>): A {
  const { estimate, cache, promises } = adapter
  return {
    ...adapter,
    promises: promises && ((to, ctx) => promises.call(adapter, to, ctx)),
    prepare: adapter.prepare && (async (ctx) => adapter.prepare?.(ctx)),
    quote: (request, ctx) => adapter.quote(request, ctx),
    estimate:
      typeof estimate === 'function' ? (request, ctx) => estimate.call(adapter, request, ctx) : estimate,
    cache: cache?.key ? { ...cache, key: (request, ctx) => cache.key!(request, ctx) } : cache,
    ...members,
  }
}
