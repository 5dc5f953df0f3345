import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { defaultNeeds, neededFields } from '../adapters/call-adapter.ts'
import { type AnyPaymentAdapter, type AnyRateAdapter, withFallbacks } from '../any-adapter.ts'
import { cleanBody, paymentMethodsReader, readMessage } from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import { keepAlive } from '../network/system-world.ts'
import type { Workings } from '../parts.ts'
import { explainPaymentMethods } from '../payments/list-payment-methods.ts'
import { askPayment } from '../payments/read-status.ts'
import { fileFaults, filesOf } from '../rates/asking/watch-files.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import { secretChange } from '../shops/rotate-secret.ts'
import type { Adapter } from '../shops/shop-settings.ts'
import { unknownShop } from '../shops/shop-view.ts'
import { unlockStore } from '../shops/unlock-store.ts'
import type { Assembled } from './assemble.ts'
import { brokenRules } from './mode.ts'
import type { Provider } from './provider.ts'

/** Explains a body of `shipment_methods`, by default with the workings of the provider. */
type Explain = (body: unknown, options: { shop?: string }, of?: Workings) => Promise<RatesExplanation>

/** A view into the workings of a provider, for Purveyor's own commands and tests. */
export type Inspection = ReturnType<typeof inspectionOf>

function inspectionOf(assembled: Assembled, explain: Explain) {
  const { configuration, workings, logTo } = assembled
  return {
    /** The configuration of the provider. Holds no secrets. */
    describe: () => describedOf(assembled),
    /**
     * Asks the rate adapters as `rates.explain` does, and waits so many milliseconds for them, or as long as a checkout does if that is longer.
     * `at`: the time that they are asked at, in milliseconds since 1970; default now. The deadline of the answer is that of a checkout.
     */
    async askRates(
      body: unknown,
      { shop, patience = 0, at }: { shop?: string | undefined; patience?: number; at?: number | undefined },
    ) {
      const { deadline } = workings.rates
      const rates = { ...workings.rates, deadline: Math.max(deadline, patience) }
      const world = at === undefined ? workings.world : { ...workings.world, now: () => at }
      const explained = explain(body, shop === undefined ? {} : { shop }, { ...workings, rates, world })
      return { ...(await keepAlive(explained)), deadline }
    },
    /** The store, open. Its sealed texts may not open with the secret of this process. */
    async openStore() {
      await workings.store.open()
      return workings.store
    },
    /** Opens the store with what is sealed in it. Rejects with a `StoreUnavailable` where that does not open. */
    unlock: () => unlockStore(workings),
    console: () => consoleOf(assembled),
    /** The ids of the secrets whose texts this process opens, its own first. */
    opens: () => workings.seal.opens(),
    /** Asks the payment services of an order's attempts for their status, and learns it. Opens the store. Rejects where there is no such payment. */
    async askPayment(shopId: string, orderId: string) {
      await unlockStore(workings)
      return askPayment(workings, shopId, orderId)
    },
    /**
     * How a change of the secret stands; `undefined` where no previous secret is given. Opens the store, and rejects with a
     * `StoreUnavailable` where its sealed texts do not open.
     */
    async secretChange() {
      await unlockStore(workings)
      return assembled.rotates ? secretChange(workings) : undefined
    },
    /** For each adapter that has settings why those of a shop do not fit; without a fault where they do. Opens the store. */
    async settingsFaults(shopId: string) {
      await unlockStore(workings)
      const settings = workings.settings.of((await workings.store.shop(shopId))!)
      const faultOf = (adapter: Adapter): string | undefined => {
        try {
          settings.of(adapter)
          return undefined
        } catch (error) {
          return `adapter ${adapter.name}: ${(error as Error).message}`
        }
      }
      return (['rates', 'payments'] as const).flatMap((kind) =>
        workings[kind].adapters.map((adapter: Adapter) => ({ kind, fault: faultOf(adapter) })),
      )
    },
    /** Logs to another logger from now on. It is made for the first line. */
    logTo,
    /** Reads the files of rate adapters, such as tariffs, as they are now: the faults of each, with line and column. */
    fileFaults: () => fileFaults(workings),
    /** The files of rate adapters that are in use now, as absolute paths. Those of shops are from their first quote on. */
    files: () => filesOf(workings).map(({ file }) => resolve(file)),
    /** Asks the payment adapters for the methods of a checkout: what each offers, and why not. Opens the store. */
    async askMethods(body: unknown, { shop: shopId }: { shop: string }) {
      await unlockStore(workings)
      const shop = await workings.store.shop(shopId)
      if (!shop) throw unknownShop(shopId)
      const given = structuredClone(body)
      cleanBody(given)
      const reader = paymentMethodsReader(neededFields(workings.payments.adapters))
      return explainPaymentMethods(workings, shop, readMessage(reader, given))
    },
    /** The broken rules of production, in development too. */
    brokenRules: () => brokenRules(configuration.facts),
  }
}

/** The console, its address and the world of its provider. `listener` makes it, for a server of its own; `end` closes its streams and its store. */
const consoleOf = ({ workings, options, console, endConsole, consoleUrl }: Assembled) => ({
  ...{ world: workings.world, listener: console, end: async () => endConsole() },
  url: consoleUrl(),
  isServed: options.console !== undefined || workings.development,
})

export type ProviderDescription = ReturnType<typeof describedOf>

function describedOf({ options, configuration, workings }: Assembled) {
  const { units = {}, fallback = [] } = options.rates
  const { store, rates, payments, signsWebhooks = false } = workings
  const { publicUrl, databaseUrl, trustProxy, allowLoopback, nameServers, logLevel, stopDelay } =
    configuration
  const common = ({ name, needs, privacy, network, ...rest }: AnyRateAdapter | AnyPaymentAdapter) => ({
    name,
    needs: (needs ?? defaultNeeds) as readonly string[],
    /** Whether it declares the recipients of personal fields. */
    privacy: privacy !== undefined,
    /** Whether it sends them away, as far as it is known. */
    sends: 'sendsTo' in rest && (rest.sendsTo ?? []).length > 0,
    /** The private addresses that it may call. */
    network: network?.allow ?? [],
  })
  return {
    ...{ publicUrl, databaseUrl, trustProxy, allowLoopback, nameServers, logLevel, stopDelay, signsWebhooks },
    /** The reason for development or production: the end of a sentence that begins with "because". */
    because: configuration.mode.because,
    /** Whether the store is in memory. */
    volatile: store.volatile ?? false,
    /** Whether the units of the shops' weights are set. */
    units: typeof units === 'function' || Object.keys(units).length > 0,
    fallback: typeof fallback === 'function' || fallback.length > 0,
    /** `status`: whether the status of a payment can be read at the payment service. `resumes`: whether a start of unknown outcome can be resumed. */
    adapters: [
      ...withFallbacks(rates.adapters).map((adapter) => {
        return { kind: 'rates' as const, ...common(adapter), status: true, resumes: true }
      }),
      ...payments.adapters.map((adapter) => {
        const resumes = (adapter.idempotency ?? adapter.find) !== undefined
        return {
          kind: 'payments' as const,
          ...common(adapter),
          status: adapter.status !== undefined,
          resumes,
        }
      }),
    ],
  }
}

/** Registered by name, so that a command finds it on a provider from another copy of this package. */
const key = Symbol.for('purveyor.workings')

/** Adds the inspection to a provider as a non-enumerable property. */
export const withInspection = (provider: Provider, assembled: Assembled, explain: Explain): Provider =>
  Object.defineProperty(provider, key, { value: inspectionOf(assembled, explain) })

/** Makes a provider log to another logger from now on. A copy of one, and one of another version, keeps its own. */
export function logTo(provider: Provider, make: () => Logger): void {
  ;(provider as { [key]?: Partial<Inspection> })[key]?.logTo?.(make)
}

/** Throws `ARGUMENT_INVALID` for a provider that `createProvider` did not return, such as a copy of one. */
export function inspect(provider: Provider): Inspection {
  const inspection = (provider as { [key]?: Inspection })[key]
  if (inspection) return inspection
  throw wrongCall(
    'This is not a provider that createProvider() of this version of purveyor returned. Export that object itself, and install one version of purveyor.',
  )
}
