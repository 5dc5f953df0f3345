import type { Request } from 'express'
import { z } from 'zod'
import { faultsOf, newAppSubscription, newExternalService } from '../../contract/index.ts'
import { readDecimal } from '../../money/index.ts'
import type { Charge } from '../charges.ts'
import type { Shop } from '../shop.ts'
import { endpointFault, type Service } from '../state.ts'
import { type Answer, ApiError, created, fine, idOf, notAllowed, notFound } from './answers.ts'
import { selectionOf, withFields } from './filters.ts'
import { type ApiRecord, datesOf } from './records.ts'
import { fieldsOf } from './written.ts'

type Fields = Record<string, unknown>

/** External services, or charges (spec 4.2). */
interface OwnRecords {
  /** The envelope of one record. That of a list has an s more. */
  one: string
  all(): ApiRecord[]
  add(fields: Fields): ApiRecord
  change?(id: number, fields: Fields): ApiRecord
  remove(id: number): void
}

/** Answers a call for all records, their `count`, or the one with the id `item`. */
export function ownAnswer(records: OwnRecords, req: Request, item: string | undefined): Answer {
  const { one, all, add, change, remove } = records
  const { method, query } = req
  const select = () => {
    const { since, matches, ...page } = selectionOf({ filters: [], fields: {} }, query)
    return { ...page, found: all().filter((record) => record.id > since && (!matches || matches(record))) }
  }
  if (item === undefined) {
    if (method === 'POST') return created({ [one]: add(fieldsOf(req, one)) })
    if (method !== 'GET') return notAllowed('GET, POST')
    const { found, offset, limit, fields } = select()
    const page = found.slice(offset, offset + limit).map((record) => withFields(record, fields))
    return fine({ [`${one}s`]: page })
  }
  if (item === 'count') return method === 'GET' ? fine({ count: select().found.length }) : notAllowed('GET')
  const record = all().find(({ id }) => id === idOf(item))
  if (!record) throw notFound()
  if (method === 'GET') return fine({ [one]: record })
  if (method === 'PUT' && change) return fine({ [one]: change(record.id, fieldsOf(req, one)) })
  if (method !== 'DELETE') return notAllowed(change ? 'GET, PUT, DELETE' : 'GET, DELETE')
  remove(record.id)
  return { status: 204 }
}

/** The fields of a record by its schema; unknown ones are ignored. Throws a 422 with the place of each fault. */
function checked<S extends z.ZodObject>(schema: S, fields: Fields): z.output<S> {
  const known = Object.entries(fields).filter(([name]) => Object.hasOwn(schema.shape, name))
  const read = schema.safeParse(Object.fromEntries(known))
  if (read.success) return read.data
  const faults = faultsOf(read.error).map(({ path, message }) => `${path} ${message}`)
  throw new ApiError(422, `${faults.join('; ')}.`)
}

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
function servicesApi({ services }: Shop): OwnRecords {
  const record = ({ createdAt, updatedAt, ...service }: Service): ApiRecord =>
    Object.assign(service, datesOf({ createdAt, updatedAt }))
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

function chargesApi(shop: Shop): OwnRecords {
  const { charges } = shop
  return {
    one: 'appSubscription',
    all: () => charges.all().map((charge) => chargeRecord(shop, charge)),
    add(fields) {
      const { appSubscriptionId, price, ...charge } = checked(newAppSubscription, fields)
      const upgradeFrom = appSubscriptionId === undefined ? undefined : Number(appSubscriptionId)
      return chargeRecord(shop, charges.create({ ...charge, price: readDecimal(price)!, upgradeFrom }))
    },
    remove(id) {
      if (charges.remove(id)) return
      throw new ApiError(422, 'Only a charge that waits for the approval of the merchant can be removed.')
    },
  }
}

function chargeRecord(shop: Shop, charge: Charge): ApiRecord {
  const { id, type, title, price, callbackUrl, status, token } = charge
  const pages = shop.apiUrl.replace(/\/api$/, `/charges/${id}`)
  const fields = { id, type, title, price: Number(price), callbackUrl, status }
  return {
    ...fields,
    approvalUrl: status === 'pending' ? `${pages}/approval?token=${token}` : null,
    cancelUrl: `${pages}/cancel?token=${token}`,
    ...datesOf(charge),
  }
}

/** The two by their addresses. */
export const ownRecords = (shop: Shop): Record<string, OwnRecords> => ({
  external_services: servicesApi(shop),
  app_subscriptions: chargesApi(shop),
})
