import type { Deliveries } from '../../src/store-port.ts'

/** The last status version of an order that a shop has accepted: by the calls themselves, because the payment may say so without one. */
export const lastDelivered = (deliveries: readonly Deliveries[]): number =>
  Math.max(
    0,
    ...deliveries
      .filter(({ first, last }) => first.failure === undefined || (last && last.failure === undefined))
      .map(({ version }) => version),
  )
