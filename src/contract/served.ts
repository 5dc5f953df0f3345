import type { ServiceType } from './platform-api.ts'

/** Both things that a provider can serve. */
export const bothServed = ['rates', 'payments'] as const

/** One of the two things that a provider can serve. On the wire it is the type of a service: `shipment` or `payment`. */
export type Served = (typeof bothServed)[number]

/** The type of a service on the wire (spec 2.2 type), by what it serves. */
export const wireType: Readonly<Record<Served, ServiceType>> = { rates: 'shipment', payments: 'payment' }

/** The other way round: `rates` for `shipment`. */
export const servedBy: Readonly<Record<ServiceType, Served>> = { shipment: 'rates', payment: 'payments' }
