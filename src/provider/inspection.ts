import type { Logger } from 'pino'
import { wrongCall } from '../errors.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import type { StorePort } from '../store-port.ts'
import type { AskedPayment } from '../use-cases/payments/ask-payment.ts'
import type { ExplainedMethods } from '../use-cases/payments/list-payment-methods.ts'
import type { SecretChange } from '../use-cases/shops/rotate-secret.ts'
import type { ProviderDescription } from './describe.ts'
import type { ProductionRule } from './production-rules.ts'
import type { Provider } from './provider.ts'

/** A view into the workings of a provider, for Purveyor's own commands and tests. */
export interface Inspection {
  /** The configuration of the provider. Holds no secrets. */
  describe(): ProviderDescription
  /** Asks the payment services of an order's attempts for their status, and learns it. Opens the store. Rejects where there is no such payment. */
  askPayment(shopId: string, orderId: string): Promise<AskedPayment>
  /** The store, open. Its sealed texts may not open with the secret of this process. */
  openStore(): Promise<StorePort>
  /** The ids of the secrets whose texts this process opens, its own first. */
  opens(): readonly string[]
  /**
   * How a change of the secret stands; `undefined` where no previous secret is given. Opens the store, and rejects with a
   * `StoreUnavailable` where its sealed texts do not open.
   */
  secretChange(): Promise<SecretChange | undefined>
  /** Logs to another logger from now on. It is made for the first line. */
  logTo(make: () => Logger): void
  /** Reads the files of rate adapters, such as tariffs, as they are now: the faults of each, with line and column. */
  fileFaults(): Promise<{ adapter: string; message: string }[]>
  /** The tariffs in use now, as absolute paths. Those of shops are in use from their first quote on. */
  tariffs(): string[]
  /**
   * Asks the rate adapters as `rates.explain` does, and waits so many milliseconds for them, or as long as a checkout does if that is longer.
   * `at`: the time that they are asked at, in milliseconds since 1970; default now. The deadline of the answer is that of a checkout.
   */
  askRates(
    body: unknown,
    of: { shop?: string | undefined; patience?: number; at?: number | undefined },
  ): Promise<RatesExplanation>
  /** For each adapter that has settings why those of a shop do not fit; without a fault where they do. Opens the store. */
  settingsFaults(shopId: string): Promise<{ kind: 'rates' | 'payments'; fault?: string }[]>
  /** Asks the payment adapters for the methods of a checkout: what each offers, and why not. Opens the store. */
  askMethods(body: unknown, of: { shop: string }): Promise<readonly ExplainedMethods[]>
  /** The broken rules of production, in development too. */
  brokenRules(): readonly ProductionRule[]
}

/** Registered by name, so that a command finds it on a provider from another copy of this package. */
const key = Symbol.for('purveyor.workings')

/** Adds the inspection to a provider as a non-enumerable property. */
export const withInspection = (provider: Provider, inspection: Inspection): Provider =>
  Object.defineProperty(provider, key, { value: inspection })

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
