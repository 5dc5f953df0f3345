import { timingSafeEqual } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { faultsOf, newAppSubscription, newExternalService, serviceTypes } from '../../contract/index.ts'
import { readDecimal } from '../../money/index.ts'
import { singularOf } from '../../platform/resource.ts'
import type { Charge } from '../charges.ts'
import { languages } from '../payloads.ts'
import { endpointFault, type Service } from '../services.ts'
import type { Shop } from '../shop.ts'
import { fieldsOf } from './body.ts'
import { ApiError, answerError } from './errors.ts'
import { faulty } from './faults.ts'
import { RateLimits } from './rate-limits.ts'
import { type ApiRecord, filtered, pageOf, timestamp } from './records.ts'
import type { Resource } from './resources.ts'

export interface ApiCredentials {
  key: string
  secret: string
}

/** The platform's own API (spec 4.1, 4.2, 5, 8): any resource, external services and charges, with or without a language. */
export function apiRoutes(shop: Shop, resources: Map<string, Resource>, credentials: ApiCredentials): Router {
  const router = Router({ caseSensitive: true })
  const limits = new RateLimits(() => shop.clock.now())
  const readers = [express.json({ limit: '1mb' }), express.urlencoded({ extended: true, limit: '1mb' })]

  /** The language is required in paths of resources, and optional in those of the two others (spec 4.1, 4.2). */
  function apiOf(name: string, language: string | undefined): Api {
    if (name === 'external_services') return servicesApi(shop)
    if (name === 'app_subscriptions') return chargesApi(shop)
    const resource = resources.get(name)
    if (!resource) throw new ApiError(404, 'There is no such resource.')
    if (language === undefined) {
      throw new ApiError(404, `The language is missing from the path, as in /en/${name}.json.`)
    }
    return resourceApi(resource, name, shop)
  }

  router.use(
    (req, res, next) => {
      logged(shop, req, res)
      checkCredentials(req, credentials)
      res.set(limits.take(shop.switches.values.api === 'limited' ? 10 : undefined))
      if (!faulty(shop.switches, req, res)) next()
    },
    ...readers,
  )

  router.use((req, res) => {
    const [, language, name = '', id, format] = shapeOfPath.exec(req.path) ?? []
    if (format === 'xml') throw new ApiError(406, 'XML is not supported. Request .json.')
    if (format === undefined) throw new ApiError(404, 'There is no such resource. A path ends with .json.')
    if (language !== undefined && !(languages as readonly string[]).includes(language)) {
      throw new ApiError(404, `Language not found. The shop has ${languages.join(', ')}.`)
    }
    const api = apiOf(name, language)
    if (id === undefined) return answer(res, api.collection(req))
    if (id !== 'count') return answer(res, api.one(req, idOf(id)))
    return answer(res, req.method === 'GET' ? api.count(req) : notAllowed('GET'))
  })
  router.use((error: unknown, req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    answerError(req, res, apiErrorOf(error))
  })
  return router
}

/** `/en/products.json`, `/en/products/101.json` and `/external_services.json`. */
const shapeOfPath = /^\/(?:([a-z]{2})\/)?([a-z][a-z_]*)(?:\/([^/]+))?\.(json|xml)$/

interface Answer {
  status: number
  body?: Record<string, unknown>
}

/** The operations on one kind of record. */
interface Api {
  collection(req: Request): Answer
  count(req: Request): Answer
  one(req: Request, id: number): Answer
}

function answer(res: Response, { status, body }: Answer): void {
  if (body === undefined) res.status(status).end()
  else res.status(status).json(body)
}

const fine = (body: Record<string, unknown>): Answer => ({ status: 200, body })
const created = (body: Record<string, unknown>): Answer => ({ status: 201, body })

const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN)
const notFound = () => new ApiError(404, 'There is no record with this id.')

function notAllowed(allow: string): never {
  throw new ApiError(405, `This address does not support this method. It supports ${allow}.`, { allow })
}

function resourceApi(resource: Resource, name: string, shop: Shop): Api {
  const { write } = resource
  const one = singularOf(name)
  const get = (id: number): ApiRecord => {
    const record = resource.all().find((known) => known.id === id)
    if (!record) throw notFound()
    return record
  }
  const update = (req: Request, record: ApiRecord): Answer => {
    const fields = fieldsOf(req, one)
    const changed = { ...record, ...fields, id: record.id, updatedAt: timestamp(shop.clock.now()) }
    return fine({ [one]: write!.set(changed) })
  }
  return {
    collection(req) {
      const [single] = resource.single ? resource.all() : []
      if (single) {
        if (req.method === 'GET') return fine({ [one]: single })
        return req.method === 'PUT' ? update(req, single) : notAllowed('GET, PUT')
      }
      if (req.method === 'GET') return fine({ [name]: pageOf(resource.all(), req.query) })
      if (req.method !== 'POST' || !write) return notAllowed(write ? 'GET, POST' : 'GET')
      const now = timestamp(shop.clock.now())
      const times = { createdAt: now, updatedAt: now }
      return created({ [one]: write.set({ ...fieldsOf(req, one), ...times, id: write.nextId() }) })
    },
    count: (req) => fine({ count: filtered(resource.all(), req.query).length }),
    one(req, id) {
      const record = get(id)
      if (req.method === 'GET') return fine({ [one]: record })
      if (!write) return notAllowed('GET')
      if (req.method === 'PUT') return update(req, record)
      if (req.method !== 'DELETE') return notAllowed('GET, PUT, DELETE')
      write.delete(id)
      return { status: 200 }
    },
  }
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

function servicesApi(shop: Shop): Api {
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
      return { status: 200 }
    },
  }
}

function chargesApi(shop: Shop): Api {
  const { charges } = shop
  const all = () => charges.all().map((charge) => chargeRecord(shop, charge))
  return {
    collection(req) {
      if (req.method === 'GET') return fine({ appSubscriptions: pageOf(all(), req.query) })
      if (req.method !== 'POST') return notAllowed('GET, POST')
      const fields = known(newAppSubscription, fieldsOf(req, 'appSubscription'))
      const { appSubscriptionId, price, ...charge } = checked(newAppSubscription, fields)
      try {
        const upgradeFrom = appSubscriptionId === undefined ? undefined : Number(appSubscriptionId)
        const made = charges.create({ ...charge, price: readDecimal(price)!, upgradeFrom })
        return created({ appSubscription: chargeRecord(shop, made) })
      } catch (error) {
        if (error instanceof TypeError) throw new ApiError(422, `${error.message}.`)
        throw error
      }
    },
    count: (req) => fine({ count: filtered(all(), req.query).length }),
    one(req, id) {
      const charge = charges.get(id)
      if (!charge) throw notFound()
      if (req.method === 'GET') return fine({ appSubscription: chargeRecord(shop, charge) })
      if (req.method !== 'DELETE') return notAllowed('GET, DELETE')
      if (!charges.remove(id)) {
        throw new ApiError(422, 'Only a charge that waits for the approval of the shop owner can be removed.')
      }
      return { status: 204 }
    },
  }
}

function chargeRecord(shop: Shop, charge: Charge): ApiRecord {
  const { id, type, title, price, callbackUrl, status, token, createdAt, updatedAt } = charge
  const pages = shop.apiUrl.replace(/\/api$/, `/charges/${id}`)
  return {
    id,
    type,
    title,
    price: Number(price),
    callbackUrl,
    status,
    approvalUrl: status === 'pending' ? `${pages}/approval?token=${token}` : null,
    cancelUrl: `${pages}/cancel?token=${token}`,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}

/** Unknown fields of a record are ignored. */
const known = (schema: z.ZodObject, fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(schema.shape, name)))

/** Throws a 422 with the place of each fault. */
function checked<S extends z.ZodType>(schema: S, fields: unknown): z.output<S> {
  const read = schema.safeParse(fields)
  if (read.success) return read.data
  const faults = faultsOf(read.error).map(({ path, message }) =>
    path === 'type' && message.startsWith('Invalid')
      ? `type is one of ${typesOf(schema)}`
      : `${path} ${message}`,
  )
  throw new ApiError(422, `${faults.join('; ')}.`)
}

const typesOf = (schema: unknown): string =>
  schema === wantedService ? serviceTypes.join(', ') : 'recurring, onetime'

function checkCredentials(req: Request, { key, secret }: ApiCredentials): void {
  const given = Buffer.from(req.headers.authorization ?? '')
  const wanted = Buffer.from(`Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`)
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return
  throw new ApiError(401, 'Access denied.', { 'www-authenticate': 'Basic realm="api"' })
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { status = 500 } = error as { status?: number }
  if (status === 413) return new ApiError(413, 'The body is larger than 1 MB.')
  if (status === 415) return new ApiError(415, 'The body is neither JSON nor a form.')
  if (status < 500) return new ApiError(status, 'The body cannot be read.')
  console.error(error)
  return new ApiError(500, 'The sandbox has a fault.')
}

function logged(shop: Shop, req: Request, res: Response): void {
  const at = shop.clock.now()
  const since = performance.now()
  const json = res.json.bind(res)
  let said = ''
  res.json = (body: unknown) => {
    said = JSON.stringify(body)
    return json(body)
  }
  const note = () => {
    res.off('prefinish', note).off('close', note)
    const { error } = (said === '' ? {} : JSON.parse(said)) as { error?: { message: string } }
    shop.log.add({
      at,
      direction: 'provider to shop',
      orderId: undefined,
      method: req.method,
      path: req.originalUrl.slice(1),
      url: req.originalUrl,
      request: req.body,
      status: res.writableEnded ? res.statusCode : undefined,
      ms: Math.round(performance.now() - since),
      answer: said.slice(0, 64 * 1024),
      faults: [],
      meaning: error ? `The platform refuses: ${error.message}` : "The platform's API.",
    })
  }
  // Before the caller has the answer, or when the call ends without one.
  res.once('prefinish', note).once('close', note)
}
