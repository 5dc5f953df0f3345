import type cluster from 'node:cluster'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { AnyPaymentAdapter, AnyRateAdapter, Rating } from '../any-adapter.ts'
import { type ConsoleRoutes, consoleRoutes } from '../console/console.ts'
import { consoleAt, consoleListener } from '../console/server.ts'
import type { ConsoleParts } from '../console/view.ts'
import { accessLog } from '../http/access-log.ts'
import { callerChecks } from '../http/callers.ts'
import { bodySizes, defaultLimits, KeyedLimits } from '../http/limits.ts'
import { PageImages } from '../http/pages/images.ts'
import { Gate, mostAtStart } from '../http/places.ts'
import { providerRoutes, type RouterOptions, type Routes } from '../http/router.ts'
import { clockOf, systemWorld } from '../network/system-world.ts'
import {
  AdapterFailures,
  developmentError,
  LogTarget,
  loggableError,
  scopedLog,
  stderrLogger,
} from '../observability/log.ts'
import { ProviderObserver } from '../observability/observer.ts'
import type { Workings } from '../parts.ts'
import type { PlatformClient } from '../platform/client.ts'
import { FactsOfFiles } from '../rates/files/product-facts.ts'
import type { ResourceHandler, ResourceHandlers } from '../shops/resource-handlers.ts'
import { SecretRotation } from '../shops/rotate-secret.ts'
import type { NodeRuns, StorePort } from '../store-port.ts'
import { storeOf } from '../stores/open.ts'
import { seal } from '../stores/seal.ts'
import { buildOf, version } from '../version.ts'
import type { World } from '../world.ts'
import { adapterList, adaptersFor, pageFaults, rateFaults } from './check-adapters.ts'
import { type ReadConfiguration, readConfiguration, readMode } from './configuration.ts'
import type { ProviderOptions, RatesOptions, ResourceEventContext, ResourceEventsOptions } from './options.ts'
import { readOptions } from './read-options.ts'
import { newWorkings } from './workings.ts'

/** The longest answer of `callers.bearer.jwks`, in bytes. A key has a few hundred. */
const maxKeys = 256 * 1024

export type Assembled = ReturnType<typeof assemble>

/** Reads the options, the adapters and the environment. Throws one `CONFIGURATION_INVALID` for all that is wrong. */
function readAll(given: ProviderOptions) {
  const { options, faults } = readOptions(given)
  const mode = readMode(options.configuration, process.env)
  const rates = adapterList<AnyRateAdapter>('rates', options.rates.adapters)
  const payments = adapterList<AnyPaymentAdapter>('payments', options.payments.adapters)
  const [ofRates, ofPayments] = [adaptersFor(mode, rates.list), adaptersFor(mode, payments.list)]
  const leftOut = [...ofRates.leftOut, ...ofPayments.leftOut]
  const sentences = [...rates.faults, ...payments.faults, ...rateFaults(rates.list, options.rates)]
  // One fault for one mistake.
  const isMistyped = faults.some(({ message }) =>
    /did you mean (?:rates|payments|adapters)\?|: adapter \}/.test(message),
  )
  if (!isMistyped && sentences.length + rates.list.length + payments.list.length === 0)
    sentences.push('createProvider() needs a rate adapter or a payment adapter: { rates } or { payments }')
  const pages = pageFaults(options.payments, payments.list, { development: mode.development })
  const all = [...faults, ...sentences.map((message) => ({ message })), ...pages]
  const volatile = options.store && (options.store.volatile ?? false)
  const adapters = [...ofRates.used, ...ofPayments.used].map(({ name }) => name)
  const known = { volatile, adapters, leftOut }
  const configuration = readConfiguration(options.configuration, process.env, mode, known, all)
  return { options, configuration, rates: ofRates.used, payments: ofPayments.used, leftOut }
}

type Read = ReturnType<typeof readAll>

/** The log of a provider, and the objects that write to it. */
function logging({ options, configuration: { development, logLevel } }: Read) {
  // Production logs only listed fields of an error; development logs where it is in the developer's files.
  const shaped = (logger: Logger) =>
    logger.child({}, { serializers: { err: development ? developmentError : loggableError } })
  const target = new LogTarget(() => shaped(options.logger ?? stderrLogger(logLevel)))
  const failures = development ? new AdapterFailures() : undefined
  const log = scopedLog(target, failures)
  const observer = new ProviderObserver(log, development)
  const logTo = (make: () => Logger) => target.change(() => shaped(make()))
  return { target, failures, log, observer, logTo }
}

interface Outside {
  world: World
  store: StorePort
  state: { platform: (shopId: string) => Promise<PlatformClient>; wake: () => void }
  gate: Gate
}

function workingsOf(
  { options, rates, payments, configuration }: Read,
  { world, store, state, gate }: Outside,
): { workings: Workings; rotation: SecretRotation } {
  const sealing = seal(configuration.secret, ...previousSecrets(configuration))
  // Until every running node can open texts of the new secret.
  sealing.holdBack()
  const rotation = new SecretRotation({ store, world, seal: sealing }, runsHere())
  const { deadline } = options.rates
  const workings = newWorkings({
    world,
    store,
    rates,
    rating: ratingOf(options.rates),
    payments,
    publicUrl: configuration.publicUrl ?? `http://127.0.0.1:${configuration.port}`,
    issued: (tokenHash) => gate.remember(tokenHash),
    deadlines: { ...options.payments.deadlines, ...(deadline !== undefined && { rates: deadline }) },
    development: configuration.development,
    brand: options.payments.brand ?? {},
    texts: options.payments.texts ?? {},
    images: new PageImages(world, store),
    seal: sealing,
    retention: configuration.retention * 24 * 3_600_000,
    wake: () => state.wake(),
    signsWebhooks: options.payments.signWebhooks,
    resourceHandlers: resourceHandlersOf(options.resourceEvents, (shopId) => state.platform(shopId)),
    rotation,
  })
  return { workings, rotation }
}

/** This process, for `purveyor nodes list`. */
const runsHere = (): Omit<NodeRuns, 'since'> => ({
  host: hostname(),
  pid: process.pid,
  // Loaded by a node that starts: other commands do without its ten files.
  get mainPid() {
    const { isWorker } = process.getBuiltinModule('node:cluster') as unknown as typeof cluster
    return isWorker ? process.ppid : process.pid
  },
  version,
  build: buildOf(process.env),
})

const previousSecrets = ({ previousSecret }: ReadConfiguration) => [previousSecret ?? []].flat()

/** Opens nothing. Throws `CONFIGURATION_INVALID`. */
export function assemble(given: ProviderOptions) {
  const read = readAll(given)
  const { options, leftOut, configuration } = read
  const { http } = options
  const { target, failures, log, observer, logTo } = logging(read)
  // Shared with the routes: `/health/ready` and the contract read it.
  const state = {
    stopping: false,
    /** The client for the API of a shop's platform. */
    platform: (_shopId: string): Promise<PlatformClient> =>
      Promise.reject(new Error('the provider is not complete yet')),
    /** Called when there may be work in the background. */
    wake: () => {},
    metrics: async () => '',
    /** The parts of the provider through which the console acts; set once that is complete. */
    hands: undefined as Pick<ConsoleParts, 'payments' | 'shops' | 'explain'> | undefined,
  }
  const store = options.store ?? storeOf(configuration.databaseUrl)
  store.watch?.((trouble) => observer.storeTrouble(trouble))
  const clock = options.clock ?? clockOf(store)
  const { allowLoopback: loopback, nameServers, development, trustProxy, metricsToken: token } = configuration
  const outgoing = { loopback, nameServers, ownUrl: () => workings.addresses.publicUrl }
  const world = systemWorld(log, outgoing, clock, observer)
  const gate = new Gate(world)
  const { workings, rotation } = workingsOf(read, { world, store, state, gate })
  const fetchKeys: typeof fetch = (input, init) =>
    world.outgoing.fetch(input, init, { name: 'callers.bearer.jwks', network: { maxAnswer: maxKeys } })
  const routing: Omit<RouterOptions, 'logger'> = {
    ...{ state, observer, failures, gate },
    callers: http.callers && callerChecks(http.callers, { trustProxy, fetch: fetchKeys }),
    openapi: http.openapi ?? false,
    maxBody: http.maxBody ?? bodySizes.usual,
    metrics: { token, development, text: () => observer.metrics && state.metrics() },
    limits: new KeyedLimits({ ...defaultLimits, ...http.limits }, world.now),
  }
  let madeRoutes: Routes | undefined
  let madeConsole: ConsoleRoutes | undefined
  const consoleUrl = (): string => consoleAt(options.console?.url ?? workings.addresses.publicUrl)
  const ofConsole = (): ConsoleRoutes => {
    madeConsole ??= consoleRoutes({
      ...{ workings, ...state.hands!, platform: state.platform, options: options.console ?? {} },
      // A connection of its own: no checkout waits for a page.
      store: options.store ?? storeOf(configuration.databaseUrl),
      url: consoleUrl,
    })
    return madeConsole
  }
  const isBeside = options.console === undefined ? development : options.console.port === undefined
  return {
    ...{ options, configuration, workings, rotation, observer, state, logTo },
    /** Created at the first call: a command that only reads the store needs no router. */
    routes(): Routes {
      const console = isBeside ? ofConsole() : undefined
      madeRoutes ??= providerRoutes(workings, { ...routing, logger: target.logger, console })
      return madeRoutes
    },
    /** The console, for a server of its own: made at the first call, whether it is configured or not. */
    console: () => consoleListener(ofConsole(), accessLog(target.logger, observer)),
    endConsole: () => madeConsole?.end(),
    consoleUrl,
    /** The names of adapters that are left out because this is production. */
    leftOut,
    rotates: previousSecrets(configuration).length > 0,
    /** Remembers the tokens of the shops in the store: otherwise their first calls after a start wait among strangers. */
    async recognise(): Promise<void> {
      for (const hash of await store.knownTokens(world.now(), mostAtStart)) gate.remember(hash)
    },
  }
}

function ratingOf({ units = {}, fallback = [], ...given }: Partial<RatesOptions>): Rating {
  return {
    units: typeof units === 'function' ? units : () => units,
    fallback: typeof fallback === 'function' ? fallback : () => fallback,
    onNothing: given.onNothing ?? 'empty',
    convert: given.convert,
    productFacts: given.productFacts && new FactsOfFiles(given.productFacts),
  }
}

/** The handlers of a provider by resource, each with the client of the shop's platform in its context. */
function resourceHandlersOf(
  { orders, shipments }: ResourceEventsOptions,
  platform: (shopId: string) => Promise<PlatformClient>,
): ResourceHandlers {
  const withPlatform =
    (handler: ResourceHandler<ResourceEventContext>): ResourceHandler =>
    (record, ctx) =>
      handler(record, Object.assign(ctx, { platform: () => platform(ctx.shop.id) }))
  return {
    ...(orders && { orders: withPlatform(orders) }),
    ...(shipments && { shipments: withPlatform(shipments) }),
  }
}
