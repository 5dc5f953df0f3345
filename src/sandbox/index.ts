/// <reference types="node" preserve="true" />
import { randomBytes } from 'node:crypto'
import { bothServed, wireType } from '../contract/served.ts'
import { wrongCall } from '../errors/errors.ts'
import { given } from '../messages/options.ts'
import { surfaceOf } from './api/live/sources.ts'
import { followChanges, ResourceEvents } from './api/resource-events.ts'
import { RateLimits } from './api/routes.ts'
import { seedsOf } from './api/seed-records.ts'
import { Uploads } from './api/uploads.ts'
import type { LoggedCall } from './calls/call-log.ts'
import type { ProviderState } from './calls/provider-calls.ts'
import { type Charge, callbackUrlOf } from './charges.ts'
import { durationOf } from './clock.ts'
import { Listener } from './listener.ts'
import {
  checkOptionNames,
  checkWait,
  readAgain,
  readCheckout,
  readEstimate,
  readRun,
  readService,
  type SandboxOptions,
} from './options.ts'
import type { Invoice } from './order-book.ts'
import { record } from './recording/record.ts'
import { type ReplayedCall, replay } from './recording/replay.ts'
import { scenarios } from './scenarios/index.ts'
import { pressOnPage } from './scenarios/payment-page.ts'
import { type RunOptions, runScenario, type ScenarioRun } from './scenarios/run.ts'
import { checkSteps, type Playground, ScenarioRuns } from './scenarios/runs.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { checkSeeds } from './seeds.ts'
import { type ServerOptions, shopServer } from './server.ts'
import { Shop } from './shop.ts'
import { endpointFault, type NewService, type Service, State, servedFault } from './state.ts'
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
export type { PresetName } from '../messages/presets.ts'
export type { Product } from '../messages/products.ts'
export type { SourceFault } from '../observability/source-faults/source-fault.ts'
export type { SourceLine } from '../observability/source-faults/source-lines.ts'
export type { LoggedCall } from './calls/call-log.ts'
export type { Explanation } from './calls/explanation.ts'
export type { ProviderFault, ProviderState } from './calls/provider-calls.ts'
export type { Charge, ChargeStatus } from './charges.ts'
export type { Checkout, CheckoutParts, PayAgain, PlaceOrder } from './checkout.ts'
export type { Method as AnsweredMethod } from './offered-method.ts'
export type { SandboxOptions, ScenarioProvider } from './options.ts'
export type { Invoice, InvoiceFor } from './order-book.ts'
export type {
  Handling,
  HandlingStatus,
  Moved,
  OfferedMethod as Method,
  Order,
  OrderStatus,
  PaidStatus,
  ShipmentStatus,
} from './orders.ts'
export { handlingOf } from './orders.ts'
export type { Difference, ReplayedCall } from './recording/replay.ts'
export { scenarios } from './scenarios/index.ts'
export { type Pressed, pressOnPage } from './scenarios/payment-page.ts'
export type { RunOptions, ScenarioRun } from './scenarios/run.ts'
export type {
  Expectation,
  MethodPick,
  OrderStep,
  Scenario,
  Step,
  Visit,
} from './scenarios/scenario.ts'
export type { Seeds } from './seeds.ts'
export type { WaitOptions } from './shop.ts'
export type { NewService, Service } from './state.ts'
export type { Switch, SwitchName, SwitchValues } from './switches.ts'

/** A shop in a box: plays the platform towards providers, on loopback only. */
export interface Sandbox
  extends Pick<
    Shop,
    | 'checkout'
    | 'estimate'
    | 'fetchStatus'
    | 'order'
    | 'orders'
    | 'payAgain'
    | 'repeatStart'
    | 'returnToShop'
    | 'waitForStatus'
  > {
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
  /** Moves the clock forward, by milliseconds or a time such as `10m`, `2h`, `1d` or `1month`. */
  advance(by: number | string): Promise<void>
  /** Runs a scenario, one of `scenarios` by its name or one of your own. Throws `ARGUMENT_INVALID` for a step or field that does not exist. */
  run(scenario: string | Scenario, options?: RunOptions): Promise<ScenarioRun>
  /**
   * Records every call to a provider in a file from now on, with personal data replaced, and the scenarios' steps on payment pages and of
   * the clock. Returns a function that stops it.
   */
  record(folder: string): () => void
  /**
   * Sends recorded calls to the service with this id, or to the first of the right type, takes the recorded steps, and returns the
   * differences.
   */
  replay(folder: string, serviceId?: number): Promise<ReplayedCall[]>
  listen(): Promise<string>
  close(): Promise<void>
}

/**
 * Throws `ARGUMENT_INVALID` if `endpoint` is not a valid address, `services` has another word, or `resources` cannot be read. Throws
 * `SANDBOX_FILE_UNUSABLE` for a file that is not a sandbox's, and `SEED_UNUSABLE` for a seed or records that cannot be read.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptionNames(options)
  const { endpoint, resources, services = bothServed } = options
  if (endpoint !== undefined) checkEndpoint('createSandbox(): endpoint', endpoint)
  if (resources !== undefined) checked(resources)
  const { shop, api, listener, listen, close } = openShop(options)

  return {
    ...customerOf(shop),
    get url() {
      return listener.url
    },
    get ca() {
      return listener.ca
    },
    get calls() {
      return shop.log.calls
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
      const service = readService(given)
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
    async advance(by) {
      const ms = typeof by === 'number' ? by : durationOf(by, shop.clock.now())
      if (ms === undefined)
        throw wrongCall('advance() takes milliseconds, or a time such as 10m, 2h, 1d or 1month')
      await shop.advance(ms)
    },
    async run(scenario, running) {
      const options = readRun(running)
      const found = typeof scenario === 'string' ? scenarios.find(({ name }) => name === scenario) : scenario
      if (!found) throw wrongCall(`There is no scenario "${String(scenario)}"`)
      checkSteps(found)
      return runScenario(shop, found, options)
    },
    record: (folder) => record(shop.log, shop.steps, folder),
    replay: replayOn(shop, listener.addressOf),
    listen,
    close,
  }
}

/** Opens the state of a shop and everything that works on it. */
function openShop(options: SandboxOptions) {
  const { endpoint, firstOrder, timeout, moveProviders } = options
  const listener = new Listener()
  const { addressOf } = listener
  const state = new State(options.file, firstOrder === undefined ? {} : { order: firstOrder })
  const api = credentialsOf(state, options)
  const seeds = seedsOf(options)
  const shop = new Shop({ state, timeout, moveProviders, addressOf, resources: seeds })
  if (endpoint !== undefined) register(shop, { ...options, endpoint })
  const limits = new RateLimits(() => shop.clock.now())
  const uploads = new Uploads(state)
  const surface = surfaceOf({ shop, state, seeds, limits, uploads, key: api.key })
  const events = new ResourceEvents({ shop, surface, appSecret: api.appSecret })
  const stopEvents = followChanges(state, surface, (change) => events.changed(change))
  let changes = 0
  const runs = new ScenarioRuns({
    open: () => openPlayground(shop, options),
    changed: () => void state.changes.emit('change', 'scenario', ++changes, 'updated'),
  })
  const handler = shopServer({ shop, state, surface, limits, uploads, runs, api })
  return {
    ...{ shop, api, listener },
    listen: () => listener.listen(handler, options),
    async close() {
      await runs.close()
      stopEvents()
      events.close()
      await listener.close()
      state.close()
    },
  }
}

const replayOn =
  (shop: Shop, addressOf: Listener['addressOf']): Sandbox['replay'] =>
  (folder, serviceId) =>
    replay(folder, {
      send: (call) => shop.send(call, serviceId),
      // Far from the ids of existing orders and of earlier replays.
      firstOrder: 1_000_000 + (Date.now() % 1_000_000_000),
      addressOf,
      advance: shop.movesProviders ? (ms) => shop.advance(ms) : undefined,
      choose: pressOnPage,
    })

/** The customer of a shop. */
function customerOf(shop: Shop) {
  return {
    checkout: (options) => shop.checkout(readCheckout(options)),
    async estimate(...question) {
      const { address, language, options } = readEstimate(...question)
      return shop.estimate(address, language, options)
    },
    fetchStatus: (id) => shop.fetchStatus(id),
    order: (id) => shop.order(id),
    async payAgain(id, choice) {
      return shop.payAgain(id, readAgain(choice))
    },
    repeatStart: (id) => shop.repeatStart(id),
    returnToShop: (id) => shop.returnToShop(id),
    async waitForStatus(id, status, options) {
      checkWait(status, options ?? {})
      return shop.waitForStatus(id, status, options)
    },
  } satisfies Partial<Sandbox>
}

/** A shop beside this one, with orders, switches and a clock of its own. Clocks that it moved are back when it closes. */
async function openPlayground(shop: Shop, options: SandboxOptions): Promise<Playground> {
  const { timeout, resources, seed, moveProviders, scenarioProvider } = options
  const own = await scenarioProvider?.()
  const playground = createSandbox({
    // Far from the orders of the shop, which the same provider may know.
    firstOrder: 100_000 + (Math.floor(Date.now() / 1_000) % 700_000),
    ...given({ timeout, resources, seed, moveProviders: own ? own.move : moveProviders }),
    ...(own && { endpoint: own.endpoint, services: own.services, estimates: own.estimates }),
  })
  if (!own)
    for (const { id: _, createdAt: __, updatedAt: ___, ...service } of shop.services.all())
      playground.register(service)
  await playground.listen()
  return {
    run: (scenario) => playground.run(scenario),
    get calls() {
      return playground.calls
    },
    async close() {
      const ahead = playground.now() - Date.now()
      await playground.close()
      if (own) await own.stop()
      else if (ahead > 1_000) await moveProviders?.(-ahead)
    },
  }
}

/** `place` is the call and its member. */
function checkEndpoint(place: string, endpoint: string): void {
  const fault = endpointFault(endpoint)
  if (fault) throw wrongCall(`${place} ${fault}`)
}

function checked(seeds: unknown): void {
  try {
    checkSeeds(seeds)
  } catch (error) {
    throw wrongCall(`createSandbox(): ${(error as Error).message}`)
  }
}

/** The given ones, otherwise those of the file, otherwise new ones. */
function credentialsOf(state: State, given: SandboxOptions): ServerOptions['api'] {
  const kept = state.collection<ServerOptions['api'] & { id: number }>('credentials')
  const random = () => randomBytes(16).toString('hex')
  const own = kept.get(1) ?? kept.set({ id: 1, key: random(), secret: random(), appSecret: random() })
  const { key = own.key, secret = own.secret, appSecret = own.appSecret } = given
  return { key, secret, appSecret }
}

const ownName = 'Provider'

/** A registered service gets the current endpoint, and keeps estimates that were switched off. Those of types that were dropped are removed. */
function register(shop: Shop, given: SandboxOptions & { endpoint: string }): void {
  const { endpoint: urlEndpoint, services = bothServed, estimates = true } = given
  const fault = servedFault(services)
  if (fault) throw wrongCall(`services ${fault}`)
  const types = services.map((one) => wireType[one])
  const areNew = shop.provider.estimates === false
  shop.provider.estimates = estimates
  const before = shop.services.all().filter(({ name }) => name === ownName)
  for (const service of before) if (!types.includes(service.type)) shop.services.remove(service.id)
  for (const type of types) {
    const known = before.find((service) => service.type === type)
    const rateEstimate = type === 'shipment' && estimates && (areNew || known?.rateEstimate !== false)
    if (known?.urlEndpoint === urlEndpoint && known.rateEstimate === rateEstimate) continue
    if (known) shop.services.change(known, { urlEndpoint, rateEstimate })
    else shop.services.add({ type, name: ownName, urlEndpoint, rateEstimate })
  }
}
