import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Served } from '../contract/served.ts'
import type { Payments } from '../payments/payments.ts'
import type { PlatformClient } from '../platform/client.ts'
import type { OpenBreaker } from '../rates/asking/rate-breakers.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import type { Shops } from '../shops/shops.ts'

/** A provider, as `createProvider` returns it. */
export interface Provider {
  /** Whether it runs in development. */
  readonly development: boolean
  /** `rates`, `payments` or both, as it has adapters. `services register` registers the endpoint once for each (spec 2.2 type). */
  readonly services: readonly Served[]
  /** Whether a rate adapter answers the cart. If not, `services register` registers no estimates. */
  readonly estimates: boolean
  /** The resources whose events it handles (`resourceEvents`): `services register` subscribes them. */
  readonly handles: readonly ('orders' | 'shipments')[]
  /** The router, to mount in an Express 5 app before its body parsers: `app.use('/checkout', provider.router)`. */
  readonly router: ProviderRouter
  /** A server for an app that mounts the router, with the limits that `listen()` has: `provider.server(app).listen(3000)`. */
  server(app: RequestListener): Server
  /** The payments of all shops. */
  readonly payments: Payments
  /** The shops of this provider. Without configuration there is one, `default`. */
  readonly shops: Shops
  /**
   * Resolves with the client for the API of a shop's platform, with the credentials stored by `shop connect`. Rejects with `UNKNOWN_SHOP` or
   * `NO_CREDENTIALS`.
   */
  platform(shopId: string): Promise<PlatformClient>
  readonly rates: {
    /**
     * Asks the rate adapters as the shop would and explains why each method is in or out. `body` is a body of `shipment_methods`. Without a
     * `shop` no store is opened, and the provider's own units and settings are used. Rejects with `BODY_INVALID`, `UNKNOWN_SHOP`, or the
     * error of the provider's start.
     */
    explain(
      body: unknown,
      options?: {
        /** The id of the shop. Default: none, and no store is opened. */
        shop?: string
      },
    ): Promise<RatesExplanation>
    /** The adapters that this process skips after failures, for one shop or for all. */
    openBreakers(): OpenBreaker[]
    /** Closes the breakers of an adapter for one shop, or without `shop` for all. Returns how many it closed in this process. */
    releaseBreakers(adapter: string, shop?: string): number
  }
  /** The metrics of this process, as `/metrics` serves them. Rejects with `METRICS_OFF` if the provider is not started, or keeps none. */
  metrics(): Promise<string>
  /** Opens the store and starts the background work, for a mounted router. Resolves with the shop's `urlEndpoint`. */
  start(): Promise<{ endpoint: string }>
  /**
   * Turns `/health/ready` to 503 and claims no more background work, and after `delay` (default `http.stopDelay`) closes its listener and
   * the store; open work is finished first. A mounted router has no delay: its server is yours. An idle connection is kept for another
   * `linger` milliseconds (default 0) and ends with its next answer, so that no call is lost on a closing connection. `replaced` leaves
   * `/health/ready` as it is, because another process serves the same port.
   */
  stop(options?: StopOptions): Promise<void>
  /** Starts with a hardened server of its own. */
  listen(options?: ListenOptions): Promise<Listening>
}

/**
 * Handles requests: mounts in Express 5 with and without its types, and in frameworks that take such handlers. Without `next` an unknown
 * address is answered 404.
 */
export type ProviderRouter = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Options of `provider.listen()`. */
export interface ListenOptions {
  /** The port, 0 for a free one. Default: that of the provider. */
  port?: number
  /** Default: all addresses in production. Development listens on `127.0.0.1`, and refuses a host that is not loopback. */
  host?: string
  /** The content of `/metrics`, for one of several processes on a port. Default: the metrics of this process. */
  metrics?: () => Promise<string>
  /** Cancels a start: a port that is not open yet stays closed, and `listen` rejects with the reason once the store is closed. */
  signal?: AbortSignal
}

/** Times are in milliseconds. */
export interface StopOptions {
  /** How much longer an idle connection is kept, in milliseconds. Default 0. */
  linger?: number
  /** How long `/health/ready` answers 503 before the listener closes, in milliseconds. Default `http.stopDelay`. */
  delay?: number
  /** Another process serves the same port: `/health/ready` stays as it is. Default false. */
  replaced?: boolean
}

/** The addresses of a provider that listens. */
export interface Listening {
  /** The address of the provider: `publicUrl`, or the address it listens on. */
  url: string
  /** The `urlEndpoint` to register with the shop platform (spec 2.2). It is a secret. */
  endpoint: string
  /** The shop of the endpoint: `default`, unless that was removed. */
  shop: string
  port: number
}
