import type { z } from 'zod'
import type { EventRecord, ResourceEvent } from '../contract/index.ts'
import type { Log } from '../world.ts'

/** The method that an order or a shipment names, as it was offered. */
export interface ChosenMethod {
  id: string
  /** Not set where the record has none. */
  title: string | undefined
}

/** The second argument of a handler of resource events. */
export interface ResourceContext {
  shop: { id: string }
  /** The change of the record: `created`, `updated`, `paid` or another word of the platform. */
  action: string
  /** The same at every try of one event: an idempotency key for a carrier's API. */
  key: string
  /** The whole event. */
  event: ResourceEvent
  /** The shipping method of the record (`shipmentId`, `shipmentTitle`). `undefined` if it names none. */
  shippingMethod: ChosenMethod | undefined
  /** The shop's settings of an adapter. */
  settingsOf<S>(adapter: {
    name: string
    /** The schema of its settings. Default: none. */
    settings?: z.ZodType<S> | undefined
  }): S
  /** Aborted when the time for one try is over, 30 s. */
  signal: AbortSignal
  /** The guarded fetch, which ends with the time for one try. */
  fetch: typeof fetch
  now(): number
  log: Log
}

/** Called once for each event, and again if it throws: for three days, less and less often. */
export type ResourceHandler<Context = ResourceContext> = (
  record: EventRecord,
  ctx: Context,
) => void | Promise<void>

export type ResourceHandlers<Context = ResourceContext> = Readonly<
  Partial<Record<'orders' | 'shipments', ResourceHandler<Context>>>
>
