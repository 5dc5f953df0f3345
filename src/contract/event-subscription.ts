import { z } from 'zod'
import { wire } from './fields.ts'

// The spec names the resource `webhooks` and no field of it. These are the fields of live platforms of this family.

const group = z.string().regex(/^[a-z_]{1,64}$/, 'must be the name of a resource, such as orders')
const action = z.string().regex(/^([a-z_]{1,64}|\*)$/, 'must be an action such as created, or *')
const language = z.string().regex(/^[a-z]{2}$/, 'must be two lower-case letters')

/** A subscription to resource events, as a platform answers it. Unknown fields are kept. */
export const eventSubscription = z
  .looseObject({
    id: z.union([wire.id, z.string().min(1)]),
    isActive: wire.flag,
    itemGroup: z.string(),
    itemAction: z.string(),
    // A code, or a record of the language.
    language: z.unknown(),
    format: z.string().optional(),
    address: z.string(),
  })
  .meta({
    id: 'EventSubscription',
    description: 'Subscribes a provider to calls of the platform when a record of a resource changes.',
  })

/** The body that subscribes. */
export const newEventSubscription = z.strictObject({
  isActive: z.boolean(),
  itemGroup: group,
  itemAction: action,
  language,
  format: z.enum(['json', 'xml']),
  address: z.url({ protocol: /^https?$/ }),
})

/** A subscription to resource events, as a platform answers it. The platform's own name for the resource is `webhooks`. */
export type EventSubscription = z.output<typeof eventSubscription>

/** The fields that subscribe: `itemGroup` is a resource such as `orders`, `itemAction` an action such as `created`, or `*`. */
export type NewEventSubscription = z.input<typeof newEventSubscription>
