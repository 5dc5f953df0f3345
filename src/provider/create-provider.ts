import { z } from 'zod'
import type { DefaultNeed, Need } from '../adapters/call-adapter.ts'
import { checkOptions, optionGroup } from '../checked-options.ts'
import { keepAlive } from '../network/system-world.ts'
import { paymentsOf } from '../payments/payments.ts'
import type { PlatformClient } from '../platform/client.ts'
import { explainRates } from '../rates/asking/quote-rates.ts'
import { shopsOf } from '../shops/manage-shops.ts'
import { unlockStore } from '../shops/unlock-store.ts'
import { assemble } from './assemble.ts'
import { withInspection } from './inspection.ts'
import { Lifecycle } from './lifecycle.ts'
import type { ProviderOptions } from './options.ts'
import type { Provider } from './provider.ts'

const explainOptions = optionGroup({ shop: z.string('must be text').optional() })

/**
 * Creates a provider (spec 4.3). Opens nothing before `start()` or `listen()`. Throws `CONFIGURATION_INVALID`, with one
 * line for everything that is wrong.
 */
export function createProvider<
  R extends Need = DefaultNeed,
  P extends Need = DefaultNeed,
  RS = unknown,
  PS = unknown,
>(options: ProviderOptions<R, P, RS, PS>): Provider {
  const assembled = assemble(options as ProviderOptions)
  const { configuration, workings } = assembled
  const life = new Lifecycle(assembled)
  const unlock = () => unlockStore(workings)
  const shops = shopsOf(workings, unlock)

  async function platformOf(shopId: string): Promise<PlatformClient> {
    const credentials = await shops.credentials(shopId)
    const { clientThrough } = await import('../platform/client.ts')
    const { allowLoopback } = configuration
    const caller = { name: 'platform', shop: shopId }
    return clientThrough(workings.world.outgoing, caller, { ...credentials, allowLoopback })
  }
  assembled.state.platform = platformOf

  /** A store is opened only for a shop. */
  async function explain(body: unknown, options: { shop?: string }, of = workings) {
    checkOptions('rates.explain()', explainOptions, options)
    const { shop } = options
    await life.prepare()
    if (shop !== undefined) await unlock()
    return explainRates(of, body, { shopId: shop })
  }

  const provider: Provider = {
    development: configuration.development,
    services: [
      ...(workings.rates.adapters.length > 0 ? (['rates'] as const) : []),
      ...(workings.payments.adapters.length > 0 ? (['payments'] as const) : []),
    ],
    estimates: workings.rates.adapters.some(({ estimate }) => estimate !== undefined),
    handles: Object.keys(workings.resourceHandlers) as ('orders' | 'shipments')[],
    shops,
    get router() {
      return assembled.routes().router
    },
    server: (app) => life.server(app),
    platform: platformOf,
    rates: {
      explain: (body, options = {}) => keepAlive(explain(body, options)),
      openBreakers: () => workings.rates.memory.breakers.open(),
      releaseBreakers: (adapter, shop) => workings.rates.memory.breakers.release(adapter, shop),
    },
    metrics: () => life.metrics(),
    payments: paymentsOf(workings, unlock),
    start: () => life.start(),
    stop: (how) => life.stop(how),
    listen: (how) => life.listen(how),
  }
  assembled.state.hands = { payments: provider.payments, shops, explain }
  return withInspection(provider, assembled, explain)
}
