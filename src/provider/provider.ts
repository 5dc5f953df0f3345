import type { RequestListener, Server } from 'node:http'
import type { Express } from 'express'
import type { PaymentStatus } from '../contract/index.ts'
import type { PaymentReport } from '../payments/facts.ts'
import type { PlatformClient } from '../platform/client.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import type { PaymentRef } from '../use-cases/payments/learn-payment.ts'
import type { OpenBreaker } from '../use-cases/rates/rate-breakers.ts'
import type { By } from '../use-cases/shops/audit.ts'
import type { Shops } from '../use-cases/shops/shops.ts'

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
     * Reports how a payment stands. Everything else follows: the status, the call to `webhook_url`, its retries. On disk when
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
     * Asks the rate adapters as the shop would and says why each method is in or out. `body` is what the platform sends to
     * `shipment_methods`. Without a `shop` no store is opened, and the provider's own units and settings count. Rejects with
     * `BODY_INVALID`, `UNKNOWN_SHOP`, or with what stops the provider from starting.
     */
    explain(body: unknown, options?: { shop?: string }): Promise<RatesExplanation>
    /** The adapters that this process leaves alone after failures, for one shop or for all. */
    openBreakers(): OpenBreaker[]
    /** Asks an adapter again at once, for one shop, or without `shop` for all. Says how many breakers of this process it closed. */
    releaseBreakers(adapter: string, shop?: string): number
  }
  /** The metrics of this process, as `/metrics` serves them. Rejects with a `TypeError` where it is not started, or keeps none. */
  metrics(): Promise<string>
  /** Opens the store and starts the background work, for a mounted router. Resolves with the shop's `urlEndpoint`. */
  start(): Promise<{ endpoint: string }>
  /**
   * Turns `/health/ready` to 503 and claims no more background work, and after `delay` (default `http.stopDelay`) closes its listener and the
   * store; what is under way is finished first. A mounted router has no delay: its server is yours. An idle connection is kept for another
   * `linger` milliseconds (default 0) and ends with its next answer, so that no call meets one that is being closed. `replaced` leaves
   * `/health/ready` as it is, because another process serves the same port.
   */
  stop(options?: StopOptions): Promise<void>
  /** Starts, in a hardened server of its own. */
  listen(options?: ListenOptions): Promise<Listening>
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
