import { z } from 'zod'
import { newExternalService } from '../../contract/index.ts'
import { endpointFault, type Service } from '../services.ts'
import type { Shop } from '../shop.ts'
import { created, fine, notAllowed, notFound } from './answers.ts'
import { fieldsOf } from './body.ts'
import { checked, filtered, known, type OwnApi, pageOf } from './own-api.ts'
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
export function servicesApi(shop: Shop): OwnApi {
  const { services } = shop
  const record = ({ createdAt, updatedAt, ...service }: Service): ApiRecord => ({
    ...service,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  })
  const all = () => services.all().map(record)
  return {
    collection(req) {
      if (req.method === 'GET') return fine({ externalServices: pageOf(all(), req.query) })
      if (req.method !== 'POST') return notAllowed('GET, POST')
      const wanted = checked(wantedService, known(wantedService, fieldsOf(req, 'externalService')))
      return created({ externalService: record(services.add(wanted)) })
    },
    count: (req) => fine({ count: filtered(all(), req.query).length }),
    one(req, id) {
      const service = services.get(id)
      if (!service) throw notFound()
      if (req.method === 'GET') return fine({ externalService: record(service) })
      if (req.method === 'PUT') {
        const changes = known(wantedService, fieldsOf(req, 'externalService'))
        const { type, name, urlEndpoint, isActive, rateEstimate } = service
        const before = { type, name, urlEndpoint, isActive, rateEstimate }
        const changed = services.change(service, checked(wantedService, { ...before, ...changes }))
        return fine({ externalService: record(changed) })
      }
      if (req.method !== 'DELETE') return notAllowed('GET, PUT, DELETE')
      services.remove(id)
      return { status: 204 }
    },
  }
}
