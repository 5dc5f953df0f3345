import { z } from 'zod'
import { wire } from './values.ts'

const timestamp = z.union([z.iso.datetime({ offset: true }), z.literal(false), z.null()]).optional()

/** spec 2.2 type */
export const serviceTypes = ['shipment', 'payment'] as const

/** The type of a registered service. A provider of both kinds registers once for each. */
export type ServiceType = (typeof serviceTypes)[number]

/** spec 2.2, as a platform answers it. Unknown fields are kept. */
export const externalService = z
  .looseObject({
    id: z.union([wire.id, z.string().min(1)]),
    type: z.enum(serviceTypes),
    name: z.string(),
    urlEndpoint: z.string(),
    isActive: wire.flag,
    rateEstimate: wire.flag.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ExternalService', description: 'A registration of a provider with a shop.' })

/** spec 2.2, the body that registers one. */
export const newExternalService = z
  .strictObject({
    type: z.enum(serviceTypes),
    name: z.string().min(1),
    urlEndpoint: z.url({ protocol: /^https?$/ }),
    isActive: z.boolean(),
    rateEstimate: z.boolean().optional(),
  })
  .meta({ id: 'NewExternalService', description: 'A provider that asks to be called in the checkout.' })

/** A registered service as the platform answers it. */
export type ExternalService = z.output<typeof externalService>

/** The fields that register a service. */
export type NewExternalService = z.input<typeof newExternalService>
