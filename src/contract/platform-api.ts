import { z } from 'zod'
import { wire } from './fields.ts'

/** The body of an error of the platform's own API (spec 7 is silent). */
export const platformErrorBody = z
  .looseObject({
    error: z.looseObject({
      code: z.number(),
      method: z.string().optional(),
      request: z.string().optional(),
      message: z.string(),
    }),
  })
  .meta({ id: 'PlatformError', description: 'An error of the API of the platform.' })

const timestamp = z.union([z.iso.datetime({ offset: true }), z.literal(false), z.null()]).optional()

/** spec 2.3 type */
export const chargeTypes = ['recurring', 'onetime'] as const

/** Whether a charge is billed every month or once. */
export type ChargeType = (typeof chargeTypes)[number]

/** spec 2.3, as a platform answers it. `active` is the only status that the spec names. */
export const appSubscription = z
  .looseObject({
    id: z.union([wire.id, z.string().min(1)]),
    type: z.enum(chargeTypes),
    title: z.string(),
    price: wire.decimal,
    callbackUrl: z.string().optional(),
    status: z.string().optional(),
    approvalUrl: z.union([z.string(), z.null(), z.literal(false)]).optional(),
    cancelUrl: z.union([z.string(), z.null(), z.literal(false)]).optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AppSubscription', description: 'A charge of the merchant.' })

/** spec 2.3, the body that creates one. `appSubscriptionId` is the one to upgrade from. */
export const newAppSubscription = z
  .strictObject({
    type: z.enum(chargeTypes),
    title: z.string().min(1),
    price: wire.decimalFromZero,
    callbackUrl: z.url({ protocol: /^https?$/ }),
    appSubscriptionId: z.union([z.string().min(1), wire.id]).optional(),
  })
  .meta({ id: 'NewAppSubscription', description: 'A charge that waits for the approval of the merchant.' })

/** A charge of a merchant as the platform answers it. */
export type AppSubscription = z.output<typeof appSubscription>

/** The fields that create a charge. */
export type NewAppSubscription = z.input<typeof newAppSubscription>

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
