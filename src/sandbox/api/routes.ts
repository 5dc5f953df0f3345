import { timingSafeEqual } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import type { Shop } from '../shop.ts'
import { type Answer, notAllowed } from './answers.ts'
import { ApiError } from './api-error.ts'
import { chargesApi } from './charges-api.ts'
import { answerError } from './errors.ts'
import { faulty } from './faults.ts'
import { apiLanguages, languageOf } from './languages.ts'
import { logged, note } from './log.ts'
import { multipart, readMultipartBody } from './multipart.ts'
import type { OwnApi } from './own-api.ts'
import type { RateLimits } from './rate-limits.ts'
import { resourceApi } from './resource-api.ts'
import { readXmlBody, send, withXml } from './send.ts'
import { servicesApi } from './services-api.ts'
import type { Surface } from './surface.ts'

interface ApiCredentials {
  key: string
  secret: string
}

export interface ApiOptions {
  shop: Shop
  surface: Surface
  limits: RateLimits
  credentials: ApiCredentials
}

/** The largest body, in MB: an image or a file in base64 fits. */
const largestBody = 4
/** The most fields of a form. */
const mostFields = 10_000

/** The platform's own API (spec 4.1, 4.2, 5, 8): any resource, external services and charges, with or without a language. */
export function apiRoutes({ shop, surface, limits, credentials }: ApiOptions): Router {
  const router = Router({ caseSensitive: true })
  const limit = `${largestBody}mb`
  const type = ['application/xml', 'text/xml']
  const readers = [
    express.json({ limit }),
    express.urlencoded({ extended: true, limit, parameterLimit: mostFields }),
    express.text({ limit, type }),
    express.raw({ limit, type: multipart }),
  ]
  const own: Record<string, OwnApi> = {
    external_services: servicesApi(shop),
    app_subscriptions: chargesApi(shop),
  }

  router.use(
    (req, _res, next) => {
      // Node leaves out the body of an answer to HEAD.
      if (req.method === 'HEAD') req.method = 'GET'
      next()
    },
    withXml,
    (req, res, next) => {
      logged(shop, req, res)
      checkCredentials(req, credentials)
      res.set(limits.take(shop.switches.values.api === 'limited' ? 10 : undefined))
      if (!faulty(shop.switches, req, res)) next()
    },
    ...readers,
    readXmlBody,
    readMultipartBody,
  )

  router.use(async (req, res) => {
    const { language, address } = partsOf(req.path)
    const [name = '', item, ...more] = address.split('/')
    const api = Object.hasOwn(own, name) && more.length === 0 ? own[name] : undefined
    if (language !== undefined && !languageOf(language)) {
      const codes = apiLanguages.map(({ code }) => code).join(', ')
      throw new ApiError(404, `Language not found. The shop has ${codes}.`)
    }
    // The language is required in paths of resources, and optional in those of the two others (spec 4.1, 4.2).
    if (api) return send(req, res, ownAnswer(api, req, item))
    const place = surface.place(address)
    if (language === undefined) {
      throw new ApiError(404, `The language is missing from the path, as in /en/${address}.json.`)
    }
    const asking = {
      base: baseOf(req),
      language: language.toLowerCase(),
      owner: place.owner,
      now: shop.clock.now(),
    }
    send(req, res, await resourceApi(place, { req, asking, surface, note: (text) => note(res, text) }))
  })
  router.use((error: unknown, req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    answerError(req, res, apiErrorOf(error))
  })
  return router
}

/** `/en/products.json`, `/en/products/101/metafields/3.json` and `/external_services.json`. */
const shapeOfPath = /^\/(?:([a-z]{2})\/)?([a-z][\w/-]*)\.(json|xml)$/i

function partsOf(path: string): { language: string | undefined; address: string } {
  const [, language, address = '', format] = shapeOfPath.exec(path) ?? []
  if (format === undefined)
    throw new ApiError(404, 'There is no such resource. A path ends with .json or .xml.')
  return { language, address }
}

/** The address of the API as the caller wrote it. */
const baseOf = (req: Request) => `${req.protocol}://${req.get('host')}${req.baseUrl}`

function ownAnswer(api: OwnApi, req: Request, item: string | undefined): Answer {
  if (item === undefined) return api.collection(req)
  if (item === 'count') return req.method === 'GET' ? api.count(req) : notAllowed('GET')
  return api.one(req, /^\d{1,15}$/.test(item) ? Number(item) : Number.NaN)
}

function checkCredentials(req: Request, { key, secret }: ApiCredentials): void {
  const given = Buffer.from(req.headers.authorization ?? '')
  const wanted = Buffer.from(`Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`)
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return
  throw new ApiError(401, 'Access denied.', { 'www-authenticate': 'Basic realm="api"' })
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { status = 500, type } = error as { status?: number; type?: string }
  if (type === 'parameters.too.many') return new ApiError(413, `The form has more than ${mostFields} fields.`)
  if (status === 413) return new ApiError(413, `The body is larger than ${largestBody} MB.`)
  if (status === 415)
    return new ApiError(415, 'The body is neither JSON nor XML nor form fields nor multipart.')
  if (status < 500) return new ApiError(status, 'The body cannot be read.')
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'SEED_UNUSABLE') return new ApiError(500, `The seed of the sandbox: ${message}`)
  console.error(error)
  return new ApiError(500, 'The sandbox has a fault.')
}
