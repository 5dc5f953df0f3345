import type { Server } from 'node:http'
import type { Express } from 'express'
import { type Logger, pino } from 'pino'
import { readConfiguration } from './configuration.ts'
import type { PaymentStatus } from './contract/index.ts'
import { providerRoutes } from './http/router.ts'
import { drain, hardenedServer, listenOn } from './http/server.ts'
import { systemWorld } from './network/system-world.ts'
import type { PaymentAdapter } from './payments/adapter.ts'
import type { PaymentReport } from './payments/facts.ts'
import { type DefaultNeed, type Need, neededFields } from './privacy/needs.ts'
import type { RateAdapter } from './rates/adapter.ts'
import { defaultShopId, endpointUrl } from './shops/shop.ts'
import { hashToken, tokenBytes } from './shops/tokens.ts'
import type { Store } from './store.ts'
import { seal } from './stores/seal.ts'
import { sqliteStore } from './stores/sqlite.ts'
import { Background } from './use-cases/background.ts'
import { type PaymentRef, reportPayment } from './use-cases/learn-payment.ts'
import {
  type AnyPaymentAdapter,
  type AnyRateAdapter,
  type Deadlines,
  defaultDeadlines,
  type Provider as Workings,
} from './use-cases/provider.ts'

export interface ProviderOptions<R extends Need = DefaultNeed, P extends Need = DefaultNeed> {
  /** Answers shipping methods. Without it the provider has no `shipment_methods`. */
  rates?: RateAdapter<R> | readonly AnyRateAdapter[]
  /** Answers payment methods and payments. Without it the provider has neither. */
  payments?: PaymentAdapter<P> | readonly AnyPaymentAdapter[]
  /** Where the provider is reached from outside, with the mount path if it is mounted. `PURVEYOR_PUBLIC_URL`. */
  publicUrl?: string
  /** `PURVEYOR_DATABASE_URL`. Default `sqlite:./data/purveyor.db`. */
  databaseUrl?: string
  /** Protects what is encrypted in the store. `PURVEYOR_SECRET`, required in production. */
  secret?: string
  /** `PORT`. Default 3000. */
  port?: number
  /** Default: `NODE_ENV` is not `production`. Opens http and loopback, and makes the secret optional. */
  development?: boolean
  /** The shops' time zone, for birthdates that come as a timestamp. Default `Europe/Amsterdam`. */
  timeZone?: string
  /** In milliseconds. Default: rates and methods 2,500, start 4,000, status 2,000. */
  deadlines?: Partial<Deadlines>
  /** Default: JSON lines on standard error at `PURVEYOR_LOG_LEVEL`, which is `info` in production and `warn` otherwise. */
  logger?: Logger
  /** Instead of the store that `databaseUrl` names. */
  store?: Store
}

export interface ListenOptions {
  port?: number
  /** Default: all addresses in production, `127.0.0.1` otherwise. */
  host?: string
}

export interface Listening {
  /** Where the provider is reached: `publicUrl`, or the address it listens on. */
  url: string
  /** The `urlEndpoint` to register with the shop platform (spec 2.2). */
  endpoint: string
  port: number
}

export interface Provider {
  /** What the adapters serve: the types of external service to register the endpoint for (spec 2.2 type). */
  readonly services: readonly ('shipment' | 'payment')[]
  /** To mount in an Express 5 app, before its body parsers: `app.use('/checkout', provider.router)`. */
  readonly router: Express
  readonly payments: {
    /**
     * Tells how a payment stands. Everything else follows: the status, the call to `webhook_url`, its retries. On disk when
     * it resolves; repeating a report is harmless. Rejects with `UNKNOWN_PAYMENT` when there is no such payment.
     */
    report(ref: PaymentRef, report: PaymentReport): Promise<PaymentStatus>
  }
  /** Opens the store and starts the background work, for a mounted router. Resolves with the shop's `urlEndpoint`. */
  start(): Promise<{ endpoint: string }>
  /** Ends the background work and closes the store; what is under way is finished first. */
  stop(): Promise<void>
  /** Starts, in a hardened server of its own. */
  listen(options?: ListenOptions): Promise<Listening>
}

/**
 * Puts a provider together: the third party's side of a shop platform's checkout (spec 4.3). Nothing is opened before
 * `start()` or `listen()`. Throws a `ConfigurationError` that names every setting that is wrong.
 */
export function createProvider<R extends Need = DefaultNeed, P extends Need = DefaultNeed>(
  options: ProviderOptions<R, P>,
): Provider {
  const configuration = readConfiguration(options, process.env)
  const { development } = configuration
  const logger =
    options.logger ?? pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: true }))
  const state = { stopping: false }
  let background: Background | undefined
  let server: Server | undefined

  const workings: Workings = {
    world: systemWorld(logger, development),
    store: options.store ?? sqliteStore({ file: configuration.databaseUrl.slice('sqlite:'.length) }),
    rates: adapters<AnyRateAdapter>('rates', options.rates, ['quote']),
    payments: adapters<AnyPaymentAdapter>('payments', options.payments, ['methods', 'start']),
    publicUrl: configuration.publicUrl ?? `http://127.0.0.1:${configuration.port}`,
    deadlines: { ...defaultDeadlines, ...options.deadlines },
    development,
    wake: () => background?.wake(),
    pushUrl: (shopId, adapter) => pushUrl(shopId, adapter),
  }
  if (workings.rates.length + workings.payments.length === 0) {
    throw new TypeError(
      'createProvider() needs a rate adapter or a payment adapter: { rates } or { payments }',
    )
  }
  for (const adapter of workings.payments) checkNotifications(adapter)
  const timeZone = options.timeZone ?? 'Europe/Amsterdam'
  const routes = providerRoutes(workings, { logger, timeZone, state })

  const { close, open: unseal } = seal(configuration.secret)

  // Looked up once: the addresses of a shop stay as long as the shop.
  const pushTokens = new Map<string, Promise<string>>()
  function pushUrl(shopId: string, adapter: string): Promise<string> {
    const key = `${adapter} ${shopId}`
    const token = pushTokens.get(key) ?? ensurePushToken(shopId, adapter)
    pushTokens.set(key, token)
    token.catch(() => pushTokens.delete(key))
    return token.then((known) => `${workings.publicUrl}/n/${adapter}/${known}`)
  }

  async function ensurePushToken(shopId: string, adapter: string): Promise<string> {
    const { store, world } = workings
    const token = world.token(tokenBytes)
    const { sealedToken } = await store.ensurePushAddress(shopId, adapter, {
      tokenHash: hashToken(token),
      sealedToken: await close(token),
      now: world.now(),
    })
    return unseal(sealedToken)
  }

  async function open(): Promise<string> {
    const { store, world } = workings
    await store.open()
    const token = world.token(tokenBytes)
    const { sealedToken } = await store.ensureShop(defaultShopId, {
      tokenHash: hashToken(token),
      sealedToken: await close(token),
      now: world.now(),
    })
    return unseal(sealedToken)
  }

  async function start(): Promise<string> {
    const token = await open()
    background = new Background(workings)
    background.start()
    return token
  }

  const services: Provider['services'] = [
    ...(workings.rates.length > 0 ? (['shipment'] as const) : []),
    ...(workings.payments.length > 0 ? (['payment'] as const) : []),
  ]

  return {
    services,
    router: routes.router,
    payments: { report: (ref, report) => reportPayment(workings, ref, report) },
    async start() {
      return { endpoint: endpointUrl(workings.publicUrl, await start()) }
    },
    async stop() {
      if (state.stopping) return
      state.stopping = true
      await Promise.all([server && drain(server), background?.stop()])
      await workings.store.close()
    },
    async listen({ port = configuration.port, host = development ? '127.0.0.1' : undefined } = {}) {
      const token = await open()
      server = hardenedServer(routes.listener)
      const bound = await listenOn(server, port, host)
      workings.publicUrl = configuration.publicUrl ?? `http://127.0.0.1:${bound}`
      background = new Background(workings)
      background.start()
      return { url: workings.publicUrl, endpoint: endpointUrl(workings.publicUrl, token), port: bound }
    },
  }
}

function adapters<A extends { name: string }>(
  option: 'rates' | 'payments',
  given: A | readonly A[] | undefined,
  members: string[],
): readonly A[] {
  const list = given === undefined ? [] : Array.isArray(given) ? (given as readonly A[]) : [given as A]
  const names = new Set<string>()
  for (const adapter of list) {
    if (typeof adapter?.name !== 'string' || !/^[a-z0-9][a-z0-9_-]{0,40}$/i.test(adapter.name)) {
      throw new TypeError(`${option}: an adapter has a name of letters, digits, - and _, such as "domestic"`)
    }
    if (names.has(adapter.name)) throw new TypeError(`${option}: two adapters are named "${adapter.name}"`)
    names.add(adapter.name)
    for (const member of members) {
      if (typeof (adapter as Record<string, unknown>)[member] !== 'function') {
        throw new TypeError(`${option}: adapter "${adapter.name}" has no ${member}()`)
      }
    }
    neededFields([adapter as { needs?: readonly Need[] }])
  }
  return list
}

/** Anyone can push: what is neither verified nor confirmed at the payment service would be believed. */
function checkNotifications({ name, notifications, status }: AnyPaymentAdapter): void {
  if (!notifications) return
  const { verify, confirm, read } = notifications
  if (typeof read !== 'function') throw new TypeError(`payments: notifications of "${name}" have no read()`)
  if (typeof verify === 'function') return
  if (confirm !== 'status') {
    throw new TypeError(`payments: notifications of "${name}" need verify(), or confirm: 'status'`)
  }
  if (!status)
    throw new TypeError(`payments: notifications of "${name}" confirm by status(), which it has not`)
}
