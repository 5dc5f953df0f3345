import type { Logger } from 'pino'
import type { DefaultNeed, Need } from '../adapters/call-adapter.ts'
import type { Convert, OfferedShipmentMethod } from '../adapters/offered-methods.ts'
import type { Units } from '../adapters/units.ts'
import type { AnyPaymentAdapter, AnyRateAdapter, FallbackShop } from '../any-adapter.ts'
import type { Brand } from '../brand/brand.ts'
import type { ConsoleOptions } from '../console/options.ts'
import type { CallerRules, TrustProxy } from '../http/callers.ts'
import type { CallLimits } from '../http/limits.ts'
import type { PaymentAdapter } from '../payments/adapter.ts'
import type { PlatformClient } from '../platform/client.ts'
import type { RateAdapter } from '../rates/adapter.ts'
import type { ProductFactsOptions } from '../rates/files/product-facts.ts'
import type { ResourceContext, ResourceHandler } from '../shops/resource-handlers.ts'
import type { Store } from '../store.ts'
import type { Clock } from '../world.ts'

/**
 * The options of `createProvider`. An option that is unknown or out of range is refused with its name. `R` and `P` are the personal
 * fields that one adapter declares, `RS` and `PS` its settings; each adapter of a list has its own.
 */
export interface ProviderOptions<
  R extends Need = DefaultNeed,
  P extends Need = DefaultNeed,
  RS = unknown,
  PS = unknown,
> {
  /** One rate adapter, a list, or a list with its rules. Without it the provider has no `shipment_methods`. */
  rates?: RateAdapter<R, RS> | readonly AnyRateAdapter[] | RatesOptions
  /** One payment adapter, a list, or a list with its rules. Without it the provider has no payment methods and no payments. */
  payments?: PaymentAdapter<P, PS> | readonly AnyPaymentAdapter[] | PaymentsOptions
  /** Handlers of events at a shop's platform. Default: none, and no address for them. */
  resourceEvents?: ResourceEventsOptions
  /**
   * `sqliteStore()`, `postgresStore()` or `memoryStore()`, or a database URL: `sqlite:` and a path, or `postgres://...`.
   * `PURVEYOR_DATABASE_URL`. Default `sqlite:./data/purveyor.db`.
   */
  store?: Store | string
  /** Encrypts credentials and settings in the store. Required in production: 32 random characters or more. `PURVEYOR_SECRET`. */
  secret?: string | SecretOptions
  /** The address that shops call, with the mount path of a mounted router. https in production. `PURVEYOR_PUBLIC_URL`. */
  publicUrl?: string
  /** The port that `listen()` opens, 0 for a free one. Default 3000. `PORT`. */
  port?: number
  /**
   * Default: true if `publicUrl` is missing or loopback and `NODE_ENV` is not `production`. Development allows http and loopback, makes the
   * secret optional, and serves callers on this machine only. `true` is refused with a public address, and in production.
   */
  development?: boolean
  /**
   * The clock. For tests: `movableClock()` of `purveyor/testing`. Default: the database server's clock on PostgreSQL, otherwise this
   * machine's clock at the start plus the time since then, so that setting the clock while the provider runs changes nothing.
   */
  clock?: Clock
  /** A pino logger. Default: JSON lines on standard error at `PURVEYOR_LOG_LEVEL`, which is `info` in production and `warn` otherwise. */
  logger?: Logger
  /** The server: callers, limits, proxies, and extra addresses. */
  http?: HttpOptions
  /** Outgoing calls. */
  network?: NetworkOptions
  /** Pages for support, operations and finance. Default: in development alone, where nobody signs in. */
  console?: ConsoleOptions
}

/**
 * Handlers of events at a shop's platform, each with the name of its resource. The events are stored first, and one whose handler throws is
 * handled again. `purveyor services register` subscribes them.
 */
export interface ResourceEventsOptions {
  /** Called once for each event of an order: created, updated, paid and so on. */
  orders?: ResourceHandler<ResourceEventContext>
  /** The same for shipments. */
  shipments?: ResourceHandler<ResourceEventContext>
}

/** The second argument of a handler in `resourceEvents`. */
export interface ResourceEventContext extends ResourceContext {
  /** Resolves with the client for the API of the shop's platform. Rejects with `NO_CREDENTIALS` if the shop is not connected. */
  platform(): Promise<PlatformClient>
}

/** Rate adapters and their rules. */
export interface RatesOptions {
  /** One adapter or a list. All are asked side by side. Required. */
  adapters: AnyRateAdapter | readonly AnyRateAdapter[]
  /** The units of weights and volumes, such as `{ weight: 'g' }`. Requests carry no units: without it weights are not used. */
  units?: Units | ((shop: { id: string }) => Units)
  /** The methods to answer if a rate adapter failed and there is no other method. Default: an empty list. */
  fallback?: readonly OfferedShipmentMethod[] | ((shop: FallbackShop) => readonly OfferedShipmentMethod[])
  /** The answer without a fallback. Default `empty`; `error` answers 503 `RATES_UNAVAILABLE`. */
  onNothing?: 'empty' | 'error'
  /** Converts a rate into the shop's currency. Without it a rate in another currency is left out. */
  convert?: Convert
  /** The file of the facts of products: dangerous, cold, letterbox. The settings of a shop go before it. Default: none. */
  productFacts?: ProductFactsOptions
  /** How long an answer may take, in milliseconds. 50 to 60,000; default 2,500. */
  deadline?: number
}

/** Payment adapters and their rules. */
export interface PaymentsOptions {
  /** One adapter or a list. With several, the id of a method has the name of its adapter in front. Required. */
  adapters: AnyPaymentAdapter | readonly AnyPaymentAdapter[]
  /** How long an answer may take, in milliseconds: 50 to 60,000. */
  deadlines?: {
    /** Payment methods, in milliseconds. Default 2,500. */
    methods?: number
    /** The start of a payment, in milliseconds. Default 4,000. */
    start?: number
    /** The status of a payment, in milliseconds. Default 2,000. */
    status?: number
    /** A payment page, in milliseconds. Default 2,500. */
    page?: number
  }
  /**
   * Signs each call of `webhook_url` in the form of Standard Webhooks, with a secret for each shop
   * (`purveyor shop show --webhook-secret`). Default false, as the contract has no signature.
   */
  signWebhooks?: boolean
  /** How the hosted payment pages look: name, logo, colours. A shop's own brand, in its settings, goes before it. */
  brand?: Brand
  /** Texts of the hosted payment pages, by language and key: in another language than `en`, `nl`, `de`, `fr` and `es`, or in place of those. */
  texts?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** How many days a payment is kept after it ended. Default 730, at least 30. `PURVEYOR_RETENTION_DAYS`. */
  retention?: number
}

/** The secret and earlier ones, while it is changed. */
export interface SecretOptions {
  /** The secret in use: 32 random characters or more in production. Required. */
  current: string
  /**
   * Earlier secrets, the newest first, while the secret changes. Purveyor encrypts with `current` once every running node can decrypt it,
   * and encrypts stored texts anew in the background. `PURVEYOR_PREVIOUS_SECRET`.
   */
  previous: string | readonly string[]
}

/** Options of the server, in `http`. */
export interface HttpOptions {
  /** Checks of callers beside the endpoint's token. Default: none. */
  callers?: CallerRules
  /** The limits of one shop before Purveyor answers 429. Default: 200 calls a second, bursts of 1,000, 200 at a time. */
  limits?: Partial<CallLimits>
  /**
   * The largest body of a call of the contract (spec 4.3), in bytes: 65,536 to 16,777,216. Default 1,048,576. A larger one is answered 413
   * `BODY_TOO_LARGE`. Forms and pushes have limits of their own.
   */
  maxBody?: number
  /** The trusted proxies in front: how many, or their addresses and ranges. Default: none. `PURVEYOR_TRUST_PROXY`. */
  trustProxy?: TrustProxy
  /** Serves the contract as OpenAPI 3.1 at `/openapi.json`. Default false. */
  openapi?: boolean
  /**
   * Serves Prometheus metrics at `/metrics` to requests with this bearer token. Without it `/metrics` is open in development and closed in
   * production. `PURVEYOR_METRICS_TOKEN`.
   */
  metricsToken?: string
  /**
   * How many milliseconds `/health/ready` answers 503 before the listener closes, so that a load balancer sees it. Default 5,000 in
   * production, 0 in development; at most 300,000. `PURVEYOR_STOP_DELAY`.
   */
  stopDelay?: number
}

/** Options of outgoing calls, in `network`. */
export interface NetworkOptions {
  /** Allows calls to http addresses and to this machine. Default: in development; production refuses it. `PURVEYOR_ALLOW_LOOPBACK`. */
  allowLoopback?: boolean
  /** Name servers, such as `['10.0.0.53']`. Default: those of the system. `PURVEYOR_NAME_SERVERS`. */
  nameServers?: readonly string[]
}
