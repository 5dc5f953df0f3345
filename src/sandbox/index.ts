/// <reference types="node" preserve="true" />
import { checkOptions } from '../checked-options.ts'
import { bothServed } from '../contract/served.ts'
import { wrongCall } from '../errors/errors.ts'
import type { LoggedCall } from './calls/call-log.ts'
import type { ProviderState } from './calls/provider-calls.ts'
import { type Charge, callbackUrlOf, type Invoice } from './charges.ts'
import { checkEndpoint, openShop, register } from './open-shop.ts'
import { readCall, type SandboxOptions, sandboxOptions } from './options.ts'
import { record } from './recording/record.ts'
import type { ReplayedCall } from './recording/replay.ts'
import { scenarios } from './scenarios/index.ts'
import type { RunOptions, Scenario, ScenarioRun } from './scenarios/scenario.ts'
import { checkSeeds } from './seeds.ts'
import type { Shop } from './shop.ts'
import type { ShopOrders } from './shop-orders.ts'
import type { NewService, Service } from './state.ts'
import type { Switch, SwitchValues } from './switches.ts'

export type { ChargeType, ServiceType } from '../contract/index.ts'
export type { Served } from '../contract/served.ts'
export type { Amounts, CartLine } from '../messages/lines.ts'
export type {
  CartOptions,
  CheckoutOptions,
  Customer,
  DeliveryAddress,
  Destination,
  LineOptions,
} from '../messages/options.ts'
export type { PersonName } from '../messages/people.ts'
export type { LineHabits, PresetName } from '../messages/presets.ts'
export type { Product } from '../messages/products.ts'
export type { AdapterFailure } from '../observability/log.ts'
export type { SourceFault } from '../observability/source-faults/source-fault.ts'
export type { SourceLine } from '../observability/source-faults/source-lines.ts'
export type { Method as AnsweredMethod } from './calls/answers.ts'
export type { LoggedCall } from './calls/call-log.ts'
export type { Explanation } from './calls/explanation.ts'
export type { ProviderFault, ProviderState } from './calls/provider-calls.ts'
export type { Charge, ChargeStatus, Invoice, InvoiceFor } from './charges.ts'
export type { Checkout, PayAgain, PlaceOrder } from './checkout.ts'
export type { SandboxOptions, ScenarioProvider } from './options.ts'
export type {
  Handling,
  HandlingStatus,
  Moved,
  OfferedMethod as Method,
  Order,
  OrderStatus,
  PaidStatus,
  ShipmentStatus,
  WaitOptions,
} from './orders.ts'
export { handlingOf } from './orders.ts'
export type { Difference, ReplayedCall } from './recording/replay.ts'
export { scenarios } from './scenarios/index.ts'
export { type Pressed, pressOnPage } from './scenarios/payment-page.ts'
export type {
  Expectation,
  MethodPick,
  OrderStep,
  RunOptions,
  Scenario,
  ScenarioRun,
  Step,
  Visit,
} from './scenarios/scenario.ts'
export type { Seeds } from './seed-files.ts'
export type { NewService, Service } from './state.ts'
export type { Switch, SwitchName, SwitchValues } from './switches.ts'

/** A shop in a box: plays the platform towards providers, on loopback only. */
export interface Sandbox
  extends Pick<Shop, 'checkout' | 'estimate' | 'payAgain' | 'repeatStart'>,
    Pick<ShopOrders, 'advance' | 'fetchStatus' | 'order' | 'orders' | 'returnToShop' | 'waitForStatus'> {
  /** The address of the shop's pages. Set once it listens. */
  readonly url: string
  /** With `https`: the authority that signed its certificate, as PEM text. Set once it listens. */
  readonly ca: string | undefined
  /** Every call between shop and providers, newest last. */
  readonly calls: readonly LoggedCall[]
  /** The address and credentials of the platform's own API (spec 4.1, 4.2, 5). */
  readonly api: { baseUrl: string; key: string; secret: string; appSecret: string }
  readonly services: readonly Service[]
  /** Registers a service as the merchant would. Throws `ARGUMENT_INVALID` for an address that no platform would accept. */
  register(service: NewService): Service
  readonly charges: readonly Charge[]
  /**
   * The merchant approves or declines a charge. Returns the signed callback address that the platform sends them to, in their
   * `language`. Default `en`. Throws `ARGUMENT_INVALID` if there is no such charge.
   */
  decide(chargeId: number, decision: 'approve' | 'decline', language?: string): string
  readonly invoices: readonly Invoice[]
  readonly switches: readonly Switch[]
  /** The state of the provider's process. Always `running` for a provider that runs elsewhere. */
  readonly provider: ProviderState
  /**
   * For the program that runs the provider's process. While the provider is `starting`, calls of the shop wait for it, ten seconds at most.
   * Throws `ARGUMENT_INVALID` if `endpoint` is not a valid address.
   */
  setProvider(state: ProviderState): void
  /** Sets switches. Throws `ARGUMENT_INVALID` for an unknown one. */
  set(changes: Partial<SwitchValues>): void
  /** Milliseconds since 1970, by the clock of the shop. */
  now(): number
  /** Runs a scenario, one of `scenarios` by its name or one of your own. Rejects with `ARGUMENT_INVALID` for a name that there is not. */
  run(scenario: string | Scenario, options?: RunOptions): Promise<ScenarioRun>
  /**
   * Records every call to a provider in a file from now on, with personal data replaced, and the scenarios' steps on payment pages and of
   * the clock. Returns a function that stops it.
   */
  record(folder: string): () => void
  /** Sends recorded calls to the first service of the right type, takes the recorded steps, and returns the differences. */
  replay(folder: string): Promise<ReplayedCall[]>
  listen(): Promise<string>
  close(): Promise<void>
}

/**
 * Throws `ARGUMENT_INVALID` if `endpoint` is not a valid address, `services` has another word, or `resources` is no object of lists. Throws
 * `SANDBOX_FILE_UNUSABLE` for a file that is not a sandbox's, and `SEED_UNUSABLE` for a seed or records that cannot be used.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions('createSandbox()', sandboxOptions, options)
  const { endpoint, resources, services = bothServed } = options
  if (endpoint !== undefined) checkEndpoint('createSandbox(): endpoint', endpoint)
  if (resources !== undefined) checkSeeds(resources)
  const { shop, api, listener, listen, close } = openShop(options)
  const { checkout, estimate, fetchStatus, order, payAgain, repeatStart, returnToShop, waitForStatus } = shop

  return {
    ...{ checkout, estimate, fetchStatus, order, payAgain, repeatStart, returnToShop, waitForStatus },
    advance: shop.advance,
    get url() {
      return listener.url
    },
    get ca() {
      return listener.ca
    },
    get calls() {
      return [...shop.log.calls]
    },
    get orders() {
      return shop.orders
    },
    get api() {
      return { baseUrl: shop.apiUrl, ...api }
    },
    get services() {
      return shop.services.all()
    },
    register(given) {
      const service = readCall('register', given)
      checkEndpoint('register(): urlEndpoint', service.urlEndpoint)
      return shop.services.add(service)
    },
    get charges() {
      return shop.charges.all()
    },
    decide(chargeId, decision, language = 'en') {
      const charge = shop.charges.decide(chargeId, decision === 'approve')
      if (!charge) throw wrongCall(`The sandbox has no charge ${chargeId}`)
      return callbackUrlOf(charge, { language, appSecret: api.appSecret, now: shop.clock.now() })
    },
    get invoices() {
      shop.charges.settle()
      return shop.invoices.all()
    },
    get switches() {
      return shop.switches.list()
    },
    get provider() {
      return shop.provider.state
    },
    setProvider(state) {
      if (state.is === 'running' && state.endpoint !== undefined) {
        checkEndpoint('setProvider(): endpoint', state.endpoint)
        register(shop, { services, ...state, endpoint: state.endpoint })
      }
      shop.provider.set(state)
    },
    set: (changes) => shop.switches.set(changes),
    now: () => shop.clock.now(),
    async run(scenario, running = {}) {
      const options = readCall('run', running)
      const found = typeof scenario === 'string' ? scenarios.find(({ name }) => name === scenario) : scenario
      if (!found) throw wrongCall(`There is no scenario "${String(scenario)}"`)
      const { runScenario } = await import('./scenarios/run.ts')
      return runScenario(shop, found, options)
    },
    record: (folder) => record(shop.log, folder),
    replay: async (folder) => (await import('./recording/replay.ts')).replay(shop, folder),
    listen,
    close,
  }
}
