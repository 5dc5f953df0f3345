import { resolve } from 'node:path'
import { cleanBody, paymentMethodsReader, readMessage } from '../contract/index.ts'
import { keepAlive } from '../network/timers.ts'
import { neededFields } from '../privacy/needs.ts'
import { askPayment } from '../use-cases/payments/ask-payment.ts'
import { explainPaymentMethods } from '../use-cases/payments/list-payment-methods.ts'
import { fileFaults, filesOf } from '../use-cases/rates/watch-files.ts'
import type { Adapter } from '../use-cases/shops/opened-settings.ts'
import { secretChange } from '../use-cases/shops/rotate-secret.ts'
import { settingsOf } from '../use-cases/shops/shop-settings.ts'
import { unknownShop } from '../use-cases/shops/unknown-shop.ts'
import { unlockStore } from '../use-cases/shops/unlock-store.ts'
import type { Assembled } from './assemble.ts'
import { describedOf } from './describe.ts'
import type { Explain } from './explain.ts'
import type { Inspection } from './inspection.ts'
import { brokenRules } from './production-rules.ts'

/** The view that Purveyor's own commands and tests have of a provider. */
export function inspectionOf(assembled: Assembled, explain: Explain): Inspection {
  const { configuration, workings } = assembled
  return {
    describe: () => describedOf(assembled.options, configuration, workings),
    async askRates(body, { shop, patience = 0, at }) {
      const { rates: deadline } = workings.deadlines
      const deadlines = { ...workings.deadlines, rates: Math.max(deadline, patience) }
      const world = at === undefined ? workings.world : { ...workings.world, now: () => at }
      const explained = explain(body, shop === undefined ? {} : { shop }, { ...workings, deadlines, world })
      return { ...(await keepAlive(explained)), deadline }
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
    async settingsFaults(shopId) {
      await unlockStore(workings)
      const settings = settingsOf(workings, (await workings.store.shop(shopId))!)
      const faultOf = (adapter: Adapter) => {
        try {
          settings.of(adapter)
          return {}
        } catch (error) {
          return { fault: `adapter ${adapter.name}: ${(error as Error).message}` }
        }
      }
      return (['rates', 'payments'] as const).flatMap((kind) =>
        workings[kind].map((adapter: Adapter) => ({ kind, ...faultOf(adapter) })),
      )
    },
    logTo: assembled.logTo,
    fileFaults: () => fileFaults(workings),
    tariffs: () =>
      filesOf(workings).flatMap(({ holds, file }) => (holds === 'tariff' ? [resolve(file)] : [])),
    async askMethods(body, { shop: shopId }) {
      await unlockStore(workings)
      const shop = await workings.store.shop(shopId)
      if (!shop) throw unknownShop(shopId)
      const given = structuredClone(body)
      cleanBody(given)
      const reader = paymentMethodsReader(neededFields(workings.payments))
      return explainPaymentMethods(workings, shop, readMessage(reader, given))
    },
    brokenRules: () => brokenRules(configuration.facts),
  }
}
