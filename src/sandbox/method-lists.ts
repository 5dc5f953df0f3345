import type { ServiceType } from '../contract/index.ts'
import { readPaymentMethods, readShipmentMethods } from './calls/answers.ts'
import type { ProviderCalls } from './calls/provider-calls.ts'
import type { MovingClock } from './clock.ts'
import type { Method } from './offered-method.ts'
import type { OfferedMethod } from './orders.ts'
import type { Service } from './state.ts'
import type { Switches } from './switches.ts'

const keptFor = { '60s': 60_000, '12h': 12 * 3_600_000 }

interface Asked {
  type: ServiceType
  body: unknown
  shopId: number
  /** Equal for questions whose answers a shop caches together. */
  key: string
  checkoutId?: number
}

interface MethodListsOptions {
  calls: ProviderCalls
  switches: Switches
  clock: MovingClock
}

/** Requests methods of services, and caches their lists as long as the switch `methodLists` says. */
export class MethodLists {
  readonly #options: MethodListsOptions
  readonly #kept = new Map<string, { at: number; methods: Promise<OfferedMethod[]> }>()

  constructor(options: MethodListsOptions) {
    this.#options = options
  }

  /** The methods of all these services, in their order. */
  async of(services: readonly Service[], asked: Asked): Promise<OfferedMethod[]> {
    const { type, body, shopId, key, checkoutId } = asked
    const path = `${type}_methods`
    const read = type === 'shipment' ? readShipmentMethods : readPaymentMethods
    const lists = services.map((service) =>
      this.#keeping(`${service.id} ${path} ${key}`, async () => {
        const call = { method: 'POST', path, body, shopId, checkoutId, read } as const
        const methods = await this.#options.calls.call<Method[]>(service, call)
        return methods.map((method) => ({ ...method, service: service.id }))
      }),
    )
    return (await Promise.all(lists)).flat()
  }

  #keeping(key: string, ask: () => Promise<OfferedMethod[]>): Promise<OfferedMethod[]> {
    const { switches, clock } = this.#options
    const { methodLists } = switches.values
    if (methodLists === 'fresh') return ask()
    const now = clock.now()
    const kept = this.#kept.get(key)
    if (kept && now - kept.at < keptFor[methodLists]) return kept.methods
    const methods = ask()
    this.#kept.set(key, { at: now, methods })
    return methods
  }
}
