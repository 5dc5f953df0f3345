import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LoggedCall } from './call-log.ts'
import { shopServer } from './server.ts'
import { type ServiceType, Shop } from './shop.ts'

export type { Method } from './answers.ts'
export type { LoggedCall } from './call-log.ts'
export type { Checkout, CheckoutOptions, Order, OrderStatus, PlaceOrder, ServiceType } from './shop.ts'

export interface SandboxOptions {
  /** The provider's `urlEndpoint`. Loopback http is fine here; a platform takes https only. */
  endpoint: string
  /** What the endpoint is registered for (spec 2.2 type). Default: both. */
  services?: readonly ServiceType[]
  /** Default: a free one. */
  port?: number
  /** How long the shop waits for an answer, in milliseconds. Default 20,000. */
  timeout?: number
}

/** A shop in a box: plays the platform's checkout towards a provider, on loopback only. */
export interface Sandbox
  extends Pick<
    Shop,
    'checkout' | 'estimate' | 'order' | 'orders' | 'payAgain' | 'returnToShop' | 'waitForStatus'
  > {
  /** Where the shop's pages are. Set once it listens. */
  readonly url: string
  /** Every call between shop and provider, newest last. */
  readonly calls: readonly LoggedCall[]
  listen(): Promise<string>
  close(): Promise<void>
}

/** Throws a `TypeError` when `endpoint` is no http or https address. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { endpoint, services = ['shipment', 'payment'], port = 0, timeout = 20_000 } = options
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new TypeError("createSandbox() takes the provider's endpoint, such as http://127.0.0.1:3000/e/...")
  }
  let url = ''
  const addressOf = (path: string) => {
    if (url === '')
      throw new TypeError('await sandbox.listen() first: a payment needs addresses to come back to')
    return `${url}${path}`
  }
  const shop = new Shop({ endpoint, services, timeout, addressOf })
  const server = createServer(shopServer(shop))

  return {
    get url() {
      return url
    },
    get calls() {
      return shop.log.calls
    },
    get orders() {
      return shop.orders
    },
    checkout: (options) => shop.checkout(options),
    estimate: (where, language) => shop.estimate(where, language),
    order: (id) => shop.order(id),
    payAgain: (id, choice) => shop.payAgain(id, choice),
    returnToShop: (id) => shop.returnToShop(id),
    waitForStatus: (id, status, options) => shop.waitForStatus(id, status, options),
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => {
          server.off('error', reject)
          url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
          resolve(url)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
