import type { RequestListener, Server } from 'node:http'
import type { Express } from 'express'
import { type Logger, pino } from 'pino'
import {
  adapterList,
  adaptersFor,
  checkFallback,
  checkPushReader,
  checkRateAdapter,
  checkUnits,
  signsWebhooks,
  type WebhookOptions,
} from './check-adapters.ts'
import {
  ConfigurationError,
  publicUrlMissing,
  type ReadConfiguration,
  readConfiguration,
} from './configuration.ts'
import type { PaymentStatus } from '../contract/index.ts'
import type { TrustProxy } from '../http/addresses.ts'
import { type CallerRules, callerChecks } from '../http/callers.ts'
import { type CallLimits, defaultLimits, ShopLimits } from '../http/limits.ts'
import { providerRoutes, type Routes } from '../http/router.ts'
import { announceEnd, drain, hardenedServer, listenOn } from '../http/server.ts'
import { StrangersLane } from '../http/strangers-lane.ts'
import { isLoopbackHost } from '../network/loopback.ts'
import { movedTime } from '../network/moved-time.ts'
import { type Clock, SteadyClock } from '../network/steady-clock.ts'
import { clockOf, systemWorld } from '../network/system-world.ts'
import { ClockWatch } from '../observability/clock-watch.ts'
import { ProviderObserver } from '../observability/observer.ts'
import { scopedLog } from '../observability/scoped-log.ts'
import { tellableError } from '../observability/tellable-error.ts'
import type { PaymentAdapter } from '../payments/adapter.ts'
import type { PaymentReport } from '../payments/facts.ts'
import { PageTokens } from '../payments/page-tokens.ts'
import type { PlatformClient } from '../platform/client.ts'
import { type DefaultNeed, defaultNeeds, type Need, neededFields } from '../privacy/needs.ts'
import type { OfferedShipmentMethod, RateAdapter } from '../rates/adapter.ts'
import type { Convert } from '../rates/check.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import type { Units } from '../rates/units.ts'
import type { RefusalCode } from '../refusals.ts'
import { developmentSecret, endpointRow, pushAddressRow } from '../shops/seal.ts'
import { defaultShopId, endpointUrl } from '../shops/shop.ts'
import type { Store } from '../store.ts'
import { storeOf } from '../stores/open.ts'
import { seal } from '../stores/seal.ts'
import { apart } from '../tracing.ts'
import type { By } from '../use-cases/shops/audit.ts'
import { Background } from '../use-cases/background.ts'
import { type PaymentRef, reportPayment } from '../use-cases/payments/learn-payment.ts'
import { newEndpoint, newPushAddress } from '../use-cases/shops/new-shop.ts'
import {
  type AnyPaymentAdapter,
  type AnyRateAdapter,
  type Deadlines,
  defaultDeadlines,
  type FallbackShop,
  type Rating,
  type Workings,
} from '../use-cases/workings.ts'
import { rateAdaptersOf } from '../use-cases/rates/quote-rates.ts'
import type { OpenBreaker } from '../use-cases/rates/rate-breakers.ts'
import type { RateCacheCounts } from '../use-cases/rates/rate-cache.ts'
import { explainRates } from '../use-cases/rates/rate-question.ts'
import { type SecretChange, SecretRotation, secretChange } from '../use-cases/shops/rotate-secret.ts'
import { ServiceCalls } from '../use-cases/payments/service-calls.ts'
import { type Shops, shopsOf } from '../use-cases/shops/shops.ts'
import { unlockStore } from '../use-cases/shops/unlock-store.ts'

/** The answer with the keys of `callers.bearer.jwks`, in bytes: a key has a few hundred. */
const maxKeys = 256 * 1024

/** `R` and `P` are the personal fields that one adapter declares, `RS` and `PS` what is set for it; a list has its own. */
export interface ProviderOptions<
  R extends Need = DefaultNeed,
  P extends Need = DefaultNeed,
  RS = unknown,
  PS = unknown,
> {
  /** Answers shipping methods. Without it the provider has no `shipment_methods`. */
  rates?: RateAdapter<R, RS> | readonly AnyRateAdapter[]
  /** Answers payment methods and payments. Without it the provider has neither. */
  payments?: PaymentAdapter<P, PS> | readonly AnyPaymentAdapter[]
  /** What the shop's weights and volumes are in, such as `{ weight: 'g' }`. Nobody says so on the wire: without it no weight counts. */
  units?: Units | ((shop: { id: string }) => Units)
  /** Answered when a rate adapter failed and nothing else is left. Default: an empty list is. */
  fallbackRates?:
    | readonly OfferedShipmentMethod[]
    | ((shop: FallbackShop) => readonly OfferedShipmentMethod[])
  /** What is answered when there is no fallback either. Default `empty`; `error` answers 503 `RATES_UNAVAILABLE`. */
  onNothing?: 'empty' | 'error'
  /** What a rate in another currency costs in the shop's. Without it such a rate is left out. */
  convert?: Convert
  /** Where the provider is reached from outside, with the mount path if it is mounted. `PURVEYOR_PUBLIC_URL`. */
  publicUrl?: string
  /** `PURVEYOR_DATABASE_URL`. Default `sqlite:./data/purveyor.db`. */
  databaseUrl?: string
  /** Protects what is encrypted in the store. `PURVEYOR_SECRET`, required in production. */
  secret?: string
  /**
   * What the store was sealed with before, the newest first, while `secret` is changed. Texts are sealed with `secret` once every node
   * that runs opens it, and what is there is sealed anew beside the calls. `PURVEYOR_PREVIOUS_SECRET`.
   */
  previousSecret?: string | readonly string[]
  /** `PORT`. Default 3000. */
  port?: number
  /**
   * Default: on where `publicUrl` is missing or loopback and `NODE_ENV` is not `production`. Opens http and loopback, makes the secret
   * optional, and serves callers on this machine only. `true` is refused beside a public address, and in production.
   */
  development?: boolean
  /** Lets http and addresses of this machine be called. Default: in development; production refuses it. `PURVEYOR_ALLOW_LOOPBACK`. */
  allowLoopback?: boolean
  /** Which proxies in front are believed when they say where a call comes from: how many, or their addresses. `PURVEYOR_TRUST_PROXY`. */
  trustProxy?: TrustProxy
  /**
   * How `webhook_url` is called. `sign: true` signs each call in the form of Standard Webhooks, with a secret of its own for each shop
   * (`purveyor shop show --webhook-secret`). Default: not signed, as the contract has it.
   */
  webhook?: WebhookOptions
  /** Name servers to ask for hosts that are called, such as `['10.0.0.53']`. Default: those of the system. `PURVEYOR_NAME_SERVERS`. */
  nameServers?: readonly string[]
  /** What callers of an endpoint have to show beside its token. Default: nothing. */
  callers?: CallerRules
  /** How much one shop may call before it is answered 429. Default: 200 calls a second, 1,000 in one moment, 200 under way. */
  limits?: Partial<CallLimits>
  /** Serves the contract as OpenAPI 3.1 at `/openapi.json`. Default false. */
  openapi?: boolean
  /**
   * Serves numbers for Prometheus at `/metrics` to whoever shows this as bearer token. Without it everybody may look in development, and
   * nobody in production. `PURVEYOR_METRICS_TOKEN`.
   */
  metricsToken?: string
  /**
   * How many milliseconds a provider that was told to stop goes on with `/health/ready` at 503, before its listener closes: so long a
   * balancer has to notice. Default 5,000 in production, 0 in development. `PURVEYOR_STOP_DELAY`.
   */
  stopDelay?: number
  /** How many days a payment that has come to rest is kept. Default 730, at least 30. `PURVEYOR_RETENTION_DAYS`. */
  retention?: number
  /** The shops' time zone, for birthdates that come as a timestamp. Default `Europe/Amsterdam`. */
  timeZone?: string
  /** In milliseconds. Default: rates, methods and page 2,500, start 4,000, status 2,000. */
  deadlines?: Partial<Deadlines>
  /** Default: JSON lines on standard error at `PURVEYOR_LOG_LEVEL`, which is `info` in production and `warn` otherwise. */
  logger?: Logger
  /**
   * What time it is. For tests: `movableClock()` of `purveyor/testing`. Default: the database server's on PostgreSQL, and elsewhere the
   * machine's at the start with the time that has gone by since, so that a clock may be set while the provider runs.
   */
  clock?: Clock
  /** Instead of the store that `databaseUrl` names. */
  store?: Store
}

export interface ListenOptions {
  port?: number
  /** Default: all addresses in production. Development listens on `127.0.0.1`, and refuses a host that is not loopback. */
  host?: string
  /** What `/metrics` answers, for one of several processes on a port. Default: the numbers of this process. */
  metrics?: () => Promise<string>
  /** Ends a start: where the port is not open yet it stays closed, and `listen` rejects with the reason once the store is closed. */
  signal?: AbortSignal
}

/** Times are in milliseconds. */
export interface StopOptions {
  linger?: number
  delay?: number
  replaced?: boolean
}

export interface Listening {
  /** Where the provider is reached: `publicUrl`, or the address it listens on. */
  url: string
  /** The `urlEndpoint` to register with the shop platform (spec 2.2). It is a secret. */
  endpoint: string
  /** The shop that the endpoint belongs to: `default`, unless that was removed. */
  shop: string
  port: number
}

export interface ProviderDescription {
  /** Why it is development or production: the end of a sentence that begins with "because". */
  because: string
  publicUrl: string | undefined
  databaseUrl: string
  /** Whether the store keeps nothing beyond the process. */
  volatile: boolean
  /** Whether the secret is one of its own, rather than that of development. */
  ownSecret: boolean
  /** Whether the secret is being changed. */
  previousSecret: boolean
  trustProxy: boolean
  allowLoopback: boolean
  /** Not set where those of the system are asked. */
  nameServers: readonly string[] | undefined
  /** Whether callers show something beside the token. */
  callers: boolean
  /** Whether calls of `webhook_url` are signed. */
  signsWebhooks: boolean
  /** Whether it is said what the shops' weights are in. */
  units: boolean
  fallbackRates: boolean
  logLevel: string
  /** In milliseconds. */
  stopDelay: number
  adapters: {
    kind: 'rates' | 'payments'
    name: string
    needs: readonly string[]
    /** Whether it says where the personal fields go. */
    privacy: boolean
    /** What it may call in a private network. */
    network: readonly string[]
    /** Whether a payment service can be asked how a payment stands. */
    status: boolean
    /** Whether a start of unknown outcome can be resumed. */
    resumes: boolean
  }[]
}

export interface Provider {
  /** Whether it runs with the openness of development. */
  readonly development: boolean
  /** What the adapters serve: the types of external service to register the endpoint for (spec 2.2 type). */
  readonly services: readonly ('shipment' | 'payment')[]
  /** To mount in an Express 5 app, before its body parsers: `app.use('/checkout', provider.router)`. */
  readonly router: Express
  /** A server for an app that mounts the router, with the limits that `listen()` has: `provider.server(app).listen(3000)`. */
  server(app: RequestListener): Server
  readonly payments: {
    /**
     * Tells how a payment stands. Everything else follows: the status, the call to `webhook_url`, its retries. On disk when
     * it resolves; repeating a report is harmless. With `by` it is a person's report, which the audit trail of the shop lists. Rejects
     * with `UNKNOWN_PAYMENT` when there is no such payment, and with `AUTHOR_INVALID` when `by` is no name.
     */
    report(ref: PaymentRef, report: PaymentReport, options?: By): Promise<PaymentStatus>
  }
  /** The shops that this provider works for. With no configuration there is one, `default`. */
  readonly shops: Shops
  /**
   * The client for the API of a shop's platform, with the credentials that `shop connect` has kept. Rejects with `UNKNOWN_SHOP` or
   * `NO_CREDENTIALS`.
   */
  platform(shopId: string): Promise<PlatformClient>
  readonly rates: {
    /**
     * Asks the rate adapters as the shop would and tells why each method is in or out. `body` is what the platform sends to
     * `shipment_methods`. Without a `shop` no store is opened, and the provider's own units and settings count. Rejects with
     * `BODY_INVALID`, `UNKNOWN_SHOP`, or with what stops the provider from starting.
     */
    explain(body: unknown, options?: { shop?: string }): Promise<RatesExplanation>
    /** By adapter that caches: how its questions were answered since the start. */
    cacheCounts(): Record<string, RateCacheCounts>
    /** The adapters that this process leaves alone after failures, for one shop or for all. */
    openBreakers(): OpenBreaker[]
    /** Asks an adapter again at once, for one shop, or without `shop` for all. Says how many breakers of this process it closed. */
    releaseBreakers(adapter: string, shop?: string): number
  }
  /** The numbers of this process, as `/metrics` tells them. Rejects with a `TypeError` where it is not started, or keeps none. */
  metrics(): Promise<string>
  /** What it is put together from. Holds no secrets. */
  describe(): ProviderDescription
  /** How a change of the secret stands; `undefined` where no `previousSecret` is given. Opens the store. */
  secretChange(): Promise<SecretChange | undefined>
  /** What stands in the way of production, a sentence with its remedy for each; `purveyor serve` refuses it. None in development. */
  productionFaults(): string[]
  /** Opens the store and starts the background work, for a mounted router. Resolves with the shop's `urlEndpoint`. */
  start(): Promise<{ endpoint: string }>
  /**
   * Turns `/health/ready` to 503 and claims no more background work, and after `delay` (default `stopDelay`) closes its listener and the
   * store; what is under way is finished first. A mounted router has no delay: its server is yours. An idle connection is kept for another
   * `linger` milliseconds (default 0) and ends with its next answer, so that no call meets one that is being closed. `replaced` leaves
   * `/health/ready` as it is, because another process serves the same port.
   */
  stop(options?: StopOptions): Promise<void>
  /** Starts, in a hardened server of its own. */
  listen(options?: ListenOptions): Promise<Listening>
}

/**
 * Puts a provider together: the third party's side of a shop platform's checkout (spec 4.3). Nothing is opened before
 * `start()` or `listen()`. Throws a `ConfigurationError` that names every setting that is wrong.
 */
export function createProvider<
  R extends Need = DefaultNeed,
  P extends Need = DefaultNeed,
  RS = unknown,
  PS = unknown,
>(options: ProviderOptions<R, P, RS, PS>): Provider {
  const configuration = readConfiguration(options, process.env)
  const { development, mode } = configuration
  const given =
    options.logger ?? pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: true }))
  // Production keeps to a list of what is told of an error; development shows it whole.
  const logger = development ? given : given.child({}, { serializers: { err: tellableError } })
  const log = scopedLog(logger)
  const observer = new ProviderObserver(log)
  let toldMetrics: (() => Promise<string>) | undefined
  const state = { stopping: false }
  let stopped: Promise<void> | undefined
  let background: Background | undefined
  let server: Server | undefined
  /** Whether an app of one's own has a server of ours. */
  let ownServer = false
  const refused = (code: RefusalCode) => observer.refused(code)

  const store = options.store ?? storeOf(configuration.databaseUrl)
  const rates = adaptersFor(mode, adapterList<AnyRateAdapter>('rates', options.rates, ['quote']))
  const payments = adaptersFor(
    mode,
    adapterList<AnyPaymentAdapter>('payments', options.payments, ['methods', 'start']),
  )
  const previousSecrets = [configuration.previousSecret ?? []].flat()
  const sealing = seal(configuration.secret, ...previousSecrets)
  // Until every node that runs opens the new secret.
  sealing.holdBack()
  const leftOut = [...rates.leftOut, ...payments.leftOut]
  store.watch?.((trouble) => {
    if (trouble.code === 'ROW_LOCKED')
      observer.refused(trouble.code, { shop: trouble.shop, order: trouble.order })
    else if (trouble.code === 'STORE_DAMAGED') observer.storeDamaged()
    else observer.clockJumped(trouble.code, trouble.seconds)
  })
  const clock = options.clock ?? clockOf(store)
  const clockWatch = new ClockWatch(clock instanceof SteadyClock ? clock : new SteadyClock(), observer)
  const workings: Workings = {
    world: systemWorld(
      log,
      {
        loopback: configuration.allowLoopback,
        ownUrl: () => workings.publicUrl,
        nameServers: configuration.nameServers,
      },
      clock,
      observer,
    ),
    store,
    rates: rates.used,
    rating: ratingOf(options),
    payments: payments.used,
    publicUrl: configuration.publicUrl ?? `http://127.0.0.1:${configuration.port}`,
    deadlines: { ...defaultDeadlines, ...options.deadlines },
    development,
    seal: sealing,
    pages: new PageTokens(),
    retention: configuration.retention * 24 * 3_600_000,
    wake: () => apart(() => background?.wake()),
    pageIssued: (pageHash) => lane.remember(pageHash),
    serviceCalls: new ServiceCalls(),
    signsWebhooks: signsWebhooks(options.webhook),
    pushUrl: (shopId, adapter, by) => pushUrl(shopId, adapter, by),
  }
  if (workings.rates.length + workings.payments.length + leftOut.length === 0) {
    throw new TypeError(
      'createProvider() needs a rate adapter or a payment adapter: { rates } or { payments }',
    )
  }
  for (const adapter of workings.payments) checkPushReader(adapter)
  for (const adapter of workings.rates) checkRateAdapter(adapter)
  const rotation = new SecretRotation(workings)
  workings.rotation = rotation
  // The routes would throw for these too, and nobody makes them before the start.
  neededFields([...workings.rates, ...workings.payments])
  const { timeZone = 'Europe/Amsterdam' } = options
  if (options.timeZone !== undefined) new Intl.DateTimeFormat('en', { timeZone })
  const { trustProxy } = configuration
  const lane = new StrangersLane(workings.world)
  const fetchKeys: typeof fetch = (input, init) =>
    workings.world.outgoing.fetch(input, init, {
      name: 'callers.bearer.jwks',
      network: { maxAnswer: maxKeys },
    })
  const callers = options.callers && callerChecks(options.callers, { trustProxy, fetch: fetchKeys })
  const limits = new ShopLimits({ ...defaultLimits, ...options.limits }, workings.world.now)
  let madeRoutes: Routes | undefined
  /** Made for who serves: a command that looks into the store needs none. */
  const routes = () => {
    madeRoutes ??= providerRoutes(workings, {
      logger,
      timeZone,
      state,
      callers,
      openapi: options.openapi ?? false,
      observer,
      metrics: {
        token: configuration.metricsToken,
        development,
        text: () => observer.metrics && (toldMetrics ?? metrics)(),
      },
      limits,
      lane,
    })
    return madeRoutes
  }

  // Looked up once: the addresses of a shop stay as long as the shop.
  const pushTokens = new Map<string, Promise<string>>()
  function pushUrl(shopId: string, adapter: string, by?: string): Promise<string> {
    const key = `${adapter} ${shopId}`
    const token = pushTokens.get(key) ?? ensurePushToken(shopId, adapter, by)
    pushTokens.set(key, token)
    token.catch(() => pushTokens.delete(key))
    return token.then((known) => `${workings.publicUrl}/n/${adapter}/${known}`)
  }

  async function ensurePushToken(shopId: string, adapter: string, by?: string): Promise<string> {
    const address = newPushAddress(workings, shopId, adapter)
    const { sealedToken, tokenHash } = await workings.store.ensurePushAddress(shopId, adapter, address, by)
    lane.remember(tokenHash)
    return workings.seal.open(sealedToken, pushAddressRow(shopId, adapter, tokenHash))
  }

  async function metrics(): Promise<string> {
    if (observer.metrics) return observer.metrics.registry.metrics()
    throw new TypeError('There are no numbers: the provider is not started, or has no metricsToken')
  }

  let prepared: Promise<unknown> | undefined
  function prepare(): Promise<unknown> {
    prepared ??= Promise.all(workings.rates.map(async (adapter) => adapter.prepare?.()))
    return prepared
  }

  /** Resolves with the endpoint to print: that of the shop `default`, or of the first where it was removed. */
  async function open(): Promise<{ shop: string; token: string }> {
    const { store } = workings
    const [fault] = nobodyLeft(workings, leftOut)
    if (fault) throw new ConfigurationError([fault], mode)
    await prepare()
    try {
      await unlockStore(workings)
      const endpoint = await openEndpoint()
      await rotation.begin()
      return endpoint
    } catch (error) {
      // A store that stays open would keep the process alive.
      await store.close().catch(() => {})
      throw error
    }
  }

  async function openEndpoint(): Promise<{ shop: string; token: string }> {
    const { store, world } = workings
    const { id = defaultShopId } = (await store.shop(defaultShopId)) ?? (await store.shops())[0] ?? {}
    const { token: _, ...endpoint } = newEndpoint(workings, id)
    const { sealedToken, tokenHash } = await store.ensureShop(id, endpoint)
    if (options.callers?.from && trustProxy === undefined && !development) {
      world.log.warn({}, 'callers.from looks at who connects: behind a proxy set PURVEYOR_TRUST_PROXY')
    }
    for (const warning of store.warnings ?? []) world.log.warn({}, warning)
    if (!development && isLoopbackHost(URL.parse(workings.publicUrl)?.hostname ?? '')) {
      world.log.warn({}, 'publicUrl (PURVEYOR_PUBLIC_URL) leads to this machine: no shop can call it')
    }
    for (const adapter of leftOut) {
      world.log.warn(
        { adapter },
        `the adapter is developmentOnly and left out of production: ${mode.because}`,
      )
    }
    if (configuration.allowLoopback) {
      world.log.info({}, 'development: http and addresses of this machine may be called')
    }
    return { shop: id, token: workings.seal.open(sealedToken, endpointRow(id, tokenHash)) }
  }

  async function run(): Promise<void> {
    state.stopping = false
    stopped = undefined
    // Its library takes time to load, and who is not asked keeps no numbers.
    if (development || configuration.metricsToken !== undefined) {
      const { Metrics } = await import('../observability/metrics.ts')
      observer.keep(new Metrics(workings))
    }
    workings.serviceCalls = new ServiceCalls()
    const started = new Background(workings)
    background = started
    apart(() => started.start())
    if (!options.clock && !movedTime()) clockWatch.start()
  }

  async function stop({ linger = 0, delay = configuration.stopDelay, replaced = false }: StopOptions = {}) {
    state.stopping = !replaced
    background?.finish()
    if (server?.listening) await announceEnd(server, delay)
    workings.serviceCalls.end()
    clockWatch.end()
    await Promise.all([server && drain(server, linger), background?.stop()])
    await rotation.end()
    observer.metrics?.end()
    observer.metrics = undefined
    await workings.store.close()
  }

  const services: Provider['services'] = [
    ...(workings.rates.length > 0 ? (['shipment'] as const) : []),
    ...(workings.payments.length > 0 ? (['payment'] as const) : []),
  ]

  const shops = shopsOf(workings, () => unlockStore(workings))

  return {
    development,
    services,
    shops,
    get router() {
      return routes().router
    },
    server(app) {
      ownServer = true
      return hardenedServer(app, refused)
    },
    async platform(shopId) {
      const credentials = await shops.credentials(shopId)
      const { platformClientOf } = await import('../platform/client.ts')
      const { allowLoopback } = configuration
      return platformClientOf(shopId, workings.world.outgoing, { ...credentials, allowLoopback })
    },
    rates: {
      async explain(body, { shop } = {}) {
        await prepare()
        if (shop !== undefined) await unlockStore(workings)
        return explainRates(workings, body, { timeZone, shopId: shop })
      },
      cacheCounts: () => rateAdaptersOf(workings).cache.counts(),
      openBreakers: () => rateAdaptersOf(workings).breakers.open(),
      releaseBreakers: (adapter, shop) => rateAdaptersOf(workings).breakers.release(adapter, shop),
    },
    metrics,
    describe: () => describedOf(options, configuration, workings),
    async secretChange() {
      if (previousSecrets.length === 0) return undefined
      await unlockStore(workings)
      return secretChange(workings)
    },
    productionFaults: () => (development ? [] : faultsOf(configuration, workings, leftOut)),
    payments: { report: (ref, report, by) => reportPayment(workings, ref, report, by) },
    async start() {
      if (!ownServer) {
        workings.world.log.warn(
          {},
          'mounted in a server that limits no connections: make it with provider.server(app) before provider.start()',
        )
      }
      const { token } = await open()
      await run()
      return { endpoint: endpointUrl(workings.publicUrl, token) }
    },
    stop(options) {
      stopped ??= stop(options)
      return stopped
    },
    async listen({
      port = configuration.port,
      host = development ? '127.0.0.1' : undefined,
      metrics,
      signal,
    } = {}) {
      if (development && !isLoopbackHost(host ?? '')) throw hostRefused(host)
      toldMetrics = metrics
      const { listener } = routes()
      const { shop, token } = await open()
      if (signal?.aborted) {
        await stop()
        throw signal.reason
      }
      server = hardenedServer(listener, refused)
      const bound = await listenOn(server, port, host)
      workings.publicUrl = configuration.publicUrl ?? `http://127.0.0.1:${bound}`
      await run()
      return { url: workings.publicUrl, endpoint: endpointUrl(workings.publicUrl, token), shop, port: bound }
    },
  }
}

function describedOf(
  { units = {}, fallbackRates = [], callers }: Pick<ProviderOptions, 'units' | 'fallbackRates' | 'callers'>,
  configuration: ReadConfiguration,
  { store, rates, payments, signsWebhooks = false }: Workings,
): ProviderDescription {
  const { publicUrl, databaseUrl, secret, trustProxy, allowLoopback, nameServers, logLevel, stopDelay } =
    configuration
  const common = ({ name, needs, privacy, network }: AnyRateAdapter | AnyPaymentAdapter) => ({
    name,
    needs: (needs ?? defaultNeeds) as readonly string[],
    privacy: privacy !== undefined,
    network: network?.allow ?? [],
  })
  return {
    because: configuration.mode.because,
    publicUrl,
    databaseUrl,
    volatile: store.volatile ?? false,
    ownSecret: secret !== developmentSecret,
    previousSecret: configuration.previousSecret !== undefined,
    trustProxy: trustProxy !== undefined,
    allowLoopback,
    nameServers,
    callers: callers !== undefined,
    signsWebhooks,
    units: typeof units === 'function' || Object.keys(units).length > 0,
    fallbackRates: typeof fallbackRates === 'function' || fallbackRates.length > 0,
    logLevel,
    stopDelay,
    adapters: [
      ...rates.map((adapter) => ({
        kind: 'rates' as const,
        ...common(adapter),
        status: true,
        resumes: true,
      })),
      ...payments.map((adapter) => ({
        kind: 'payments' as const,
        ...common(adapter),
        status: adapter.status !== undefined,
        resumes: adapter.page !== undefined || (adapter.idempotency ?? adapter.find) !== undefined,
      })),
    ],
  }
}

/** What a configuration that is sound by itself still lacks for real money. */
function faultsOf(
  { publicUrl }: ReadConfiguration,
  workings: Workings,
  leftOut: readonly string[],
): string[] {
  const { store } = workings
  const faults: string[] = nobodyLeft(workings, leftOut)
  if (publicUrl === undefined) faults.push(publicUrlMissing)
  if (store.volatile) {
    faults.push(
      'the store keeps nothing: take memoryStore() out, and set databaseUrl (PURVEYOR_DATABASE_URL) to a file',
    )
  }
  return faults
}

/** Production without a single adapter would only look as if it ran. */
function nobodyLeft({ rates, payments }: Workings, leftOut: readonly string[]): string[] {
  if (rates.length + payments.length > 0) return []
  const names = leftOut.map((name) => `"${name}"`).join(', ')
  return [
    `production leaves out ${names} (developmentOnly), and there is no other adapter. Give createProvider one for real rates or payments`,
  ]
}

const hostRefused = (host: string | undefined): ConfigurationError =>
  new ConfigurationError([
    `listen({ host: '${host}' }) is not an address of this machine, and development listens nowhere else. Take host out, or set PURVEYOR_PUBLIC_URL to the https address that shops call`,
  ])

type RatingOptions = Pick<ProviderOptions, 'units' | 'fallbackRates' | 'onNothing' | 'convert'>

function ratingOf({ units = {}, fallbackRates = [], onNothing = 'empty', convert }: RatingOptions): Rating {
  if (typeof units === 'object') checkUnits(units)
  if (typeof fallbackRates === 'object') checkFallback(fallbackRates)
  return {
    units: typeof units === 'function' ? units : () => units,
    fallback: typeof fallbackRates === 'function' ? fallbackRates : () => fallbackRates,
    onNothing,
    convert,
  }
}
