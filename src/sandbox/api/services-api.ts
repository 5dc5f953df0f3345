import { z } from 'zod'
import { newExternalService } from '../../contract/index.ts'
import { endpointFault, type Service } from '../services.ts'
import type { Shop } from '../shop.ts'
import { checked, type OwnRecords } from './own-api.ts'
import { type ApiRecord, timestamp } from './records.ts'

const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0']).transform((text) => /^(true|1)$/.test(text)),
])

// Form fields are text, so flags and numbers are read from it too.
const wantedService = newExternalService.extend({
  isActive: flag.default(true),
  rateEstimate: flag.optional(),
  urlEndpoint: z.string().superRefine((text, context) => {
    const fault = endpointFault(text)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  }),
})

/** The external services of the caller. */
export function servicesApi({ services }: Shop): OwnRecords {
  const record = ({ createdAt, updatedAt, ...service }: Service): ApiRecord => ({
    ...service,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  })
  return {
    one: 'externalService',
    all: () => services.all().map(record),
    add: (fields) => record(services.add(checked(wantedService, fields))),
    change(id, fields) {
      const before = services.get(id)!
      return record(services.change(before, checked(wantedService, { ...before, ...fields })))
    },
    remove: services.remove,
  }
}
