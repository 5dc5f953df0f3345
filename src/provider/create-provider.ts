import { resolve } from 'node:path'
import { z } from 'zod'
import { keepAlive } from '../network/timers.ts'
import type { PlatformClient } from '../platform/client.ts'
import type { DefaultNeed, Need } from '../privacy/needs.ts'
import { checkOptions, optionGroup } from '../use-cases/option-faults.ts'
import { askPayment } from '../use-cases/payments/ask-payment.ts'
import { paymentsOf } from '../use-cases/payments/payments.ts'
import { explainRates } from '../use-cases/rates/rate-question.ts'
import { fileFaults, filesOf } from '../use-cases/rates/watch-files.ts'
import { secretChange } from '../use-cases/shops/rotate-secret.ts'
import { shopsOf } from '../use-cases/shops/shops.ts'
import { unlockStore } from '../use-cases/shops/unlock-store.ts'
import type { Workings } from '../use-cases/workings.ts'
import { assemble } from './assemble.ts'
import { describedOf } from './describe.ts'
import { withInspection } from './inspection.ts'
import { Lifecycle } from './lifecycle.ts'
import type { ProviderOptions } from './options.ts'
import { brokenRules } from './production-rules.ts'
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
  const { configuration, workings, timeZone } = assembled
  const { development } = configuration
  const life = new Lifecycle(assembled)
  const shops = shopsOf(workings, () => unlockStore(workings))

  async function platformOf(shopId: string): Promise<PlatformClient> {
    const credentials = await shops.credentials(shopId)
    const { platformClientOf } = await import('../platform/client.ts')
    const { allowLoopback } = configuration
    return platformClientOf(shopId, workings.world.outgoing, { ...credentials, allowLoopback })
  }
  assembled.state.platform = platformOf

  const explain = async (body: unknown, options: { shop?: string }, of: Workings) => {
    checkOptions('rates.explain()', explainOptions, options)
    const { shop } = options
    await life.prepare()
    if (shop !== undefined) await unlockStore(workings)
    return explainRates(of, body, { timeZone, shopId: shop })
  }

  const provider: Provider = {
    development,
    services: [
      ...(workings.rates.length > 0 ? (['rates'] as const) : []),
      ...(workings.payments.length > 0 ? (['payments'] as const) : []),
    ],
    handles: Object.keys(workings.resourceHandlers) as ('orders' | 'shipments')[],
    shops,
    get router() {
      return assembled.routes().router
    },
    server: (app) => life.server(app),
    platform: platformOf,
    rates: {
      explain: (body, options = {}) => keepAlive(explain(body, options, workings)),
      openBreakers: () => workings.memory.rates.breakers.open(),
      releaseBreakers: (adapter, shop) => workings.memory.rates.breakers.release(adapter, shop),
    },
    metrics: () => life.metrics(),
    payments: paymentsOf(workings),
    start: () => life.start(),
    stop: (how) => life.stop(how),
    listen: (how) => life.listen(how),
  }
  return withInspection(provider, {
    describe: () => describedOf(assembled.options, configuration, workings),
    async askRates(body, { shop, patience }) {
      const { rates: deadline } = workings.deadlines
      const deadlines = { ...workings.deadlines, rates: Math.max(deadline, patience) }
      const { adapters } = await explain(body, { shop }, { ...workings, deadlines })
      return { adapters, deadline }
    },
    async openStore() {
      await workings.store.open()
      return workings.store
    },
    opens: () => workings.seal.opens(),
    async askPayment(shopId, orderId) {
      await unlockStore(workings)
      return askPayment(workings, shopId, orderId)
    },
    async secretChange() {
      await unlockStore(workings)
      return assembled.rotates ? secretChange(workings) : undefined
    },
    logTo: assembled.logTo,
    fileFaults: () => fileFaults(workings),
    tariffs: () =>
      filesOf(workings).flatMap(({ holds, file }) => (holds === 'tariff' ? [resolve(file)] : [])),
    brokenRules: () => brokenRules(configuration.facts),
  })
}
