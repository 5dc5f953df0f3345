import type { z } from 'zod'
import { anyOption, checkOptions, each, optionGroup } from '../checked-options.ts'
import { eventSubscription, newEventSubscription } from '../contract/event-subscription.ts'
import {
  type AppSubscription,
  appSubscription,
  type EventSubscription,
  type ExternalService,
  externalService,
  faultsOf,
  type NewAppSubscription,
  type NewEventSubscription,
  type NewExternalService,
  newAppSubscription,
  newExternalService,
} from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import { Names } from '../network/names/names.ts'
import { guardedOutgoing } from '../network/outgoing.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { withoutSlash, withoutUserInfo } from '../shops/shop.ts'
import type { Clock, Outgoing, OutgoingCaller } from '../world.ts'
import { PlatformCalls, systemClock } from './calls.ts'
import {
  envelopeOf,
  type ListOptions,
  type Resource,
  type ResourceId,
  type ResourceRecord,
  resourceOf,
} from './resource.ts'

/** Options of `createPlatformClient`. Times are in milliseconds. */
export interface PlatformOptions {
  /** The address of the API, https. It may hold key and secret: `https://key:secret@api.platform.example` (spec 5). */
  baseUrl: string
  /** The language segment of the paths (spec 4.1), two letters. */
  language: string
  /** Required, here or in `baseUrl`. */
  key?: string
  /** Required, here or in `baseUrl`. */
  secret?: string
  /** The format of generic resources. Default `form`, as the spec shows it. */
  bodies?: 'form' | 'json'
  /** Whether paths of external services and charges include the language, as on some platforms. Default false (spec 4.2). */
  languageEverywhere?: boolean
  /** The limit for one try with its body, in milliseconds. Default 10,000. */
  timeout?: number
  /** The most tries of a call that may be repeated. Default 4. */
  tries?: number
  /** The longest wait for a rate limit, in milliseconds. Default 5 min. */
  patience?: number
  /** Allows http and addresses of this machine, for development. Default false. */
  allowLoopback?: boolean
  /** Default: this machine's clock. For tests: `movableClock()` of `purveyor/testing`. */
  clock?: Clock
}

/** The names; the values are checked where they are used. */
const platformOptions = optionGroup(
  each(
    anyOption,
    ...(['baseUrl', 'language', 'key', 'secret', 'bodies', 'languageEverywhere', 'timeout'] as const),
    ...(['tries', 'patience', 'allowLoopback', 'clock'] as const),
  ) satisfies Record<keyof PlatformOptions, z.ZodType>,
)

/** Charges of the merchant (spec 2.3). */
export interface AppSubscriptions {
  /** `appSubscriptionId` names the one to upgrade from. */
  create(charge: NewAppSubscription): Promise<AppSubscription>
  list(options?: ListOptions): AsyncIterableIterator<AppSubscription>
  get(id: ResourceId): Promise<AppSubscription>
  remove(id: ResourceId): Promise<void>
}

/** Registrations with the shop (spec 2.2). */
export interface ExternalServices {
  create(service: NewExternalService): Promise<ExternalService>
  list(options?: ListOptions): AsyncIterableIterator<ExternalService>
  update(id: ResourceId, changes: Partial<NewExternalService>): Promise<ExternalService>
  remove(id: ResourceId): Promise<void>
}

/** Subscriptions to resource events: calls that the platform makes when a record of the shop changes. */
export interface EventSubscriptions {
  /** Default: active, in JSON, in the language of the client. */
  create(
    subscription: Pick<NewEventSubscription, 'itemGroup' | 'itemAction' | 'address'> &
      Partial<NewEventSubscription>,
  ): Promise<EventSubscription>
  list(options?: ListOptions): AsyncIterableIterator<EventSubscription>
  get(id: ResourceId): Promise<EventSubscription>
  update(id: ResourceId, changes: Partial<NewEventSubscription>): Promise<EventSubscription>
  remove(id: ResourceId): Promise<void>
}

/** The fields of a product that the spec names (spec 2.1); a shop has more. */
export type Product = ResourceRecord & { title?: string; fulltitle?: string }

/** A client of the API of one shop. Calls slow down before the rate limit, and reject with a `PlatformError`. */
export interface PlatformClient {
  readonly externalServices: ExternalServices
  readonly appSubscriptions: AppSubscriptions
  /** The platform's resource `webhooks`: who gets its resource events. No webhook of a payment is among them. */
  readonly webhooks: EventSubscriptions
  /** Any resource of the shop by its name in the path, such as `products`. `singular` is the name of one of them in a body. */
  resource(name: 'products'): Resource<Product>
  resource<R extends ResourceRecord = ResourceRecord>(
    name: string,
    options?: {
      /** The name of one of them in a body. Default: from the path, such as `product`, and `productMetafield` of `products/101/metafields`. */
      singular?: string
    },
  ): Resource<R>
}

/** The network of clients without a provider. They share names and connections: each would have a name thread of its own. */
const names = new Names({})
const networks = [false, true].map((loopback) => guardedOutgoing({ loopback, names }))

/** `allowLoopback` allows http and addresses of this machine. */
export const processOutgoing = (allowLoopback: boolean): Outgoing => networks[Number(allowLoopback)]!

/** A page of 250 products with descriptions is a few mebibytes. */
const maxAnswer = 16 * 1024 * 1024

/**
 * A client for a platform's own API (spec 4.1, 4.2) with HTTP Basic and guarded outgoing calls. Throws `ARGUMENT_INVALID`, which names the wrong
 * option; every call rejects with a `PlatformError`.
 */
export function createPlatformClient(options: PlatformOptions): PlatformClient {
  checkOptions('createPlatformClient()', platformOptions, options)
  const outgoing = processOutgoing(options.allowLoopback ?? false)
  // Each platform has a lane for name look-ups, so that a hanging name delays no other platform.
  return clientThrough(outgoing, { name: `platform ${URL.parse(options.baseUrl)?.host}` }, options)
}

/** A client through the network of a provider or, without one, of this process. */
export function clientThrough(outgoing: Outgoing, caller: OutgoingCaller, options: PlatformOptions) {
  const { language, bodies = 'form', languageEverywhere = false, allowLoopback = false } = options
  const { key = '', secret = '', ...address } = withoutUserInfo(options)
  const baseUrl = checkedBase(address.baseUrl, allowLoopback)
  if (!/^[a-z]{2}$/.test(language)) throw wrongCall('language must be two lower-case letters, such as nl')
  for (const [name, value] of Object.entries({ key, secret }))
    if (typeof value !== 'string' || value === '') throw wrongCall(`${name} is missing`)
  const calls = new PlatformCalls({
    baseUrl,
    key,
    secret,
    fetch: (input, init) => outgoing.fetch(input, init, { ...caller, network: { maxAnswer } }),
    clock: options.clock ?? systemClock,
    timeout: options.timeout ?? 10_000,
    tries: options.tries ?? 4,
    patience: options.patience ?? 5 * 60_000,
  })
  const own = (name: string) => (languageEverywhere ? `${language}/${name}` : name)
  const defaults = { isActive: true, format: 'json', language }

  /** Refuses an address of ours that the platform would call unencrypted (spec 8 transport). */
  const secure = (fields: Record<string, unknown>): Record<string, unknown> => {
    for (const name of ['urlEndpoint', 'address']) {
      const url = typeof fields[name] === 'string' ? new URL(fields[name]) : undefined
      if (url?.protocol === 'http:' && !(allowLoopback && isLoopbackHost(url.hostname)))
        throw wrongCall(`${name} must be an https address: the platform sends personal data to it${orHttp}`)
    }
    return fields
  }

  /** A resource that the contract describes: what is sent and what is answered are checked. */
  function described<S extends z.ZodType>(path: string, one: string, answered: S, sent: z.ZodObject) {
    const records = resourceOf(calls, { path, one, bodies: 'json' }, by(answered))
    return {
      ...records,
      create: async (fields: object) => records.create(secure(checked(one, sent, fields))),
      update: async (id: ResourceId, changes: object) =>
        records.update(id, secure(checked(one, sent.partial(), changes))),
    }
  }
  const [services, subscriptions] = [own('external_services'), own('app_subscriptions')]
  const webhooks = described(`${language}/webhooks`, 'webhook', eventSubscription, newEventSubscription)

  const client: PlatformClient = {
    externalServices: described(services, 'externalService', externalService, newExternalService),
    appSubscriptions: described(subscriptions, 'appSubscription', appSubscription, newAppSubscription),
    webhooks: { ...webhooks, create: (given) => webhooks.create({ ...defaults, ...given }) },
    resource<R extends ResourceRecord>(name: string, { singular = envelopeOf(name) } = {}): Resource<R> {
      if (!/^[a-z][a-z0-9_/]*$/.test(name))
        throw wrongCall('a resource is named by its path, such as products')
      return resourceOf(calls, { path: `${language}/${name}`, one: singular, bodies }, anyRecord<R>)
    },
  }
  return client
}

const orHttp = '. In development, allowLoopback: true also allows http of this machine'

function checkedBase(text: string, loopback: boolean): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:'))) {
    const example = url?.protocol === 'http:' ? orHttp : ', such as https://api.platform.example'
    throw wrongCall(`baseUrl must be an https address${example}`)
  }
  return `${url.origin}${withoutSlash(url.pathname)}`
}

/** Throws `ARGUMENT_INVALID` with the path of each fault, because the caller passed it. */
function checked<S extends z.ZodType>(what: string, schema: S, value: unknown): Record<string, unknown> {
  const read = schema.safeParse(value)
  if (read.success) return read.data as Record<string, unknown>
  const faults = faultsOf(read.error).map(({ path, message }) => `${path} ${message}`)
  throw wrongCall(`${what}: ${faults.join(', ')}`)
}

const by =
  <S extends z.ZodType>(schema: S) =>
  (record: unknown): (z.output<S> & ResourceRecord) | string => {
    const read = schema.safeParse(record)
    if (read.success) return read.data as z.output<S> & ResourceRecord
    const [fault] = faultsOf(read.error)
    return fault ? `${fault.path} ${fault.message}` : 'it has another shape'
  }

const anyRecord = <R extends ResourceRecord>(record: unknown): R | string =>
  typeof record === 'object' && record !== null && 'id' in record ? (record as R) : 'it has no id'
