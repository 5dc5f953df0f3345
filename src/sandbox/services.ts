import type { ServiceType } from '../contract/index.ts'
import { bothServed, type Served, servedBy } from '../contract/served.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import type { Collection } from './state.ts'

/** An external service that is registered with the shop (spec 2.2). */
export interface Service {
  id: number
  type: ServiceType
  name: string
  urlEndpoint: string
  /** Whether the shop calls it. Default true. */
  isActive: boolean
  /** Whether the cart asks it for estimates too. */
  rateEstimate: boolean
  /** The id of the only shop of the platform that calls it. Default: every shop does. */
  shop?: number | undefined
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
}

/** A service to register with the sandbox shop. */
export type NewService = Pick<Service, 'type' | 'name' | 'urlEndpoint'> &
  Partial<Pick<Service, 'isActive' | 'rateEstimate' | 'shop'>>

/** The services registered with the shop. Each is called while it is active. */
export class Services {
  readonly #services: Collection<Service>
  readonly #now: () => number

  constructor(services: Collection<Service>, now: () => number) {
    this.#services = services
    this.#now = now
  }

  readonly all = (): Service[] => this.#services.all()
  readonly get = (id: number): Service | undefined => this.#services.get(id)

  /** The active services of a shop for shipping or for payment. Default: those of any shop. */
  active(type: ServiceType, shop?: number): Service[] {
    return this.all().filter(
      (one) =>
        one.type === type &&
        one.isActive &&
        (shop === undefined || one.shop === undefined || one.shop === shop),
    )
  }

  add({ isActive = true, rateEstimate = false, ...service }: NewService): Service {
    const now = this.#now()
    const times = { createdAt: now, updatedAt: now }
    return this.#services.set({ ...service, isActive, rateEstimate, ...times, id: this.#services.nextId() })
  }

  change(service: Service, changes: Partial<NewService>): Service {
    return this.#services.set({ ...service, ...changes, updatedAt: this.#now() })
  }

  readonly remove = (id: number): void => this.#services.delete(id)
}

/** The fault of a `urlEndpoint`: https is mandatory (spec 2.2), but the sandbox allows http for this machine. */
export function endpointFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    return 'must be an https address. The sandbox also allows http for this machine'
  if (url.username !== '' || url.password !== '') return 'carries credentials'
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return undefined
  return 'must use https. The sandbox allows http for this machine only, and a platform never'
}

/** The fault of a list of what to register an endpoint for: `rates`, `payments`, or both. */
export function servedFault(list: readonly Served[]): string | undefined {
  const wrong: string | undefined = list.find((one) => !bothServed.includes(one))
  if (wrong === undefined) return undefined
  const write = Object.hasOwn(servedBy, wrong) ? servedBy[wrong as ServiceType] : bothServed.join(' or ')
  return `has an unknown entry: write ${write}`
}
