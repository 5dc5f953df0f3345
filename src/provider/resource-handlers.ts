import type { PlatformClient } from '../platform/client.ts'
import type { ResourceHandler, ResourceHandlers } from '../use-cases/resource-events/handlers.ts'
import type { ResourceEventContext, ResourceEventsOptions } from './options.ts'

/** The handlers of a provider by resource, each with the client of the shop's platform in its context. */
export function resourceHandlersOf(
  { orders, shipments }: ResourceEventsOptions,
  platform: (shopId: string) => Promise<PlatformClient>,
): ResourceHandlers {
  const withPlatform =
    (handler: ResourceHandler<ResourceEventContext>): ResourceHandler =>
    (record, ctx) =>
      handler(record, Object.assign(ctx, { platform: () => platform(ctx.shop.id) }))
  return {
    ...(orders && { orders: withPlatform(orders) }),
    ...(shipments && { shipments: withPlatform(shipments) }),
  }
}
