import { timingSafeEqual } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import { jsonIn } from '../../contract/texts.ts'
import { hasCode } from '../../errors/errors.ts'
import type { OpenShop } from '../opened.ts'
import type { Credentials } from '../pages/services.ts'
import type { Shop } from '../shop.ts'
import type { Switches } from '../switches.ts'
import { ApiError, answerError, send } from './answers.ts'
import { languageOf } from './languages.ts'
import { tooMany } from './rate-limits.ts'
import { resourceApi } from './resource-api.ts'

/** The largest body, in MB: an image or a file in base64 fits. */
const largestBody = 4
const mostFields = 10_000

/** The platform's own API (spec 4.1, 4.2, 5, 8). */
export function apiRoutes({ shop, surface, limits, api }: OpenShop): Router {
  const router = Router({ caseSensitive: true })
  const limit = `${largestBody}mb`
  router.use(
    (req, res, next) => {
      // Node leaves out the body of an answer to HEAD.
      if (req.method === 'HEAD') req.method = 'GET'
      logged(shop, req, res)
      checkCredentials(req, api)
      res.set(limits.take(shop.switches.values.api === 'limited' ? 10 : undefined))
      if (!faulty(shop.switches, req, res)) next()
    },
    express.json({ limit }),
    express.urlencoded({ extended: true, limit, parameterLimit: mostFields }),
    express.text({ limit, type: ({ headers }) => headers['content-type'] === undefined }),
  )

  router.use(async (req, res) => {
    // Clients that send JSON without its type are understood.
    if (typeof req.body === 'string') req.body = jsonIn(req.body)
    const [, language, address = '', format] = shapeOfPath.exec(req.path) ?? []
    if (format === undefined)
      throw new ApiError(404, 'There is no such resource. A path ends with .json or .xml.')
    if (language !== undefined && !languageOf(language))
      throw new ApiError(404, 'Unknown or inactive language.')
    const place = surface.place(address)
    if (language === undefined && !place.resource.row.anyLanguage)
      throw new ApiError(404, `The language is missing from the path, as in /en/${address}.json.`)
    const asking = {
      base: `${req.protocol}://${req.get('host')}${req.baseUrl}`,
      language: (language ?? 'en').toLowerCase(),
      owner: place.owner,
      now: shop.clock.now(),
    }
    // Of a parameter that comes twice, the last counts.
    const query = Object.fromEntries(new URL(req.url, asking.base).searchParams)
    const { notes } = res.locals as { notes: Set<string> }
    await send(req, res, resourceApi(place, { req, query, asking, surface, notes }))
  })
  router.use((error: unknown, req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    return answerError(req, res, apiErrorOf(error))
  })
  return router
}

/** `/en/products.json`, `/en/products/101/metafields/3.json` and `/external_services.json`. */
const shapeOfPath = /^\/(?:([a-z]{2})\/)?([a-z][\w/-]*)\.(json|xml)$/i

/** Answers as the switch `api` says, instead of or around the work. Returns whether the call is finished. Throws an `ApiError`. */
function faulty(switches: Switches, req: Request, res: Response): boolean {
  const { api } = switches.values
  if (api === 'works' || api === 'limited') return false
  if (api === 'forbidden') throw new ApiError(403, 'Access to this resource is not allowed.')
  if (api === 'broken') throw new ApiError(500, 'Something went wrong.')
  if (switches.once('api', 'limitNext')) throw tooMany({ 'retry-after': '12' })
  if (switches.once('api', 'loseNext')) {
    // The work is done, and the answer is lost.
    res.end = (() => {
      req.socket.destroy()
      return res
    }) as typeof res.end
    return false
  }
  if (api === 'html') res.type('html').send('<!doctype html><title>Welcome</title><h1>Welcome</h1>')
  if (api === 'half') res.type('json').send('{"products": [{"id"')
  if (api === 'redirect') res.redirect(302, 'https://elsewhere.example/')
  return true
}

function checkCredentials(req: Request, { key, secret }: Credentials): void {
  const given = Buffer.from(req.headers.authorization ?? '')
  const wanted = Buffer.from(`Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`)
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return
  throw new ApiError(401, 'Access denied.', { 'www-authenticate': 'Basic realm="api"' })
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  // The shop refuses what a client asks for, such as a method that a checkout does not have.
  if (hasCode(error, 'ARGUMENT_INVALID')) return new ApiError(422, `${error.message}.`)
  const { status = 500, type } = error as { status?: number; type?: string }
  if (type === 'parameters.too.many') return new ApiError(413, `The form has more than ${mostFields} fields.`)
  if (status === 413) return new ApiError(413, `The body is larger than ${largestBody} MB.`)
  if (type === 'entity.parse.failed') return new ApiError(400, 'The body is not JSON, or not all of it came.')
  if (status < 500) return new ApiError(status, 'The body cannot be read.')
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'SEED_UNUSABLE') return new ApiError(500, `The seed of the sandbox: ${message}`)
  console.error(error)
  return new ApiError(500, 'The sandbox has a fault.')
}

function logged(shop: Shop, req: Request, res: Response): void {
  const notes = new Set<string>()
  res.locals.notes = notes
  const at = shop.clock.now()
  const since = performance.now()
  const note = () => {
    res.off('prefinish', note).off('close', note)
    const { answer } = res.locals as { answer?: { error?: { message: string } } }
    const error = answer?.error
    const said = [...notes].map((text) => ` ${text}.`).join('')
    shop.log.add({
      at,
      direction: 'provider to shop',
      method: req.method,
      path: req.originalUrl.slice(1),
      url: req.originalUrl,
      request: req.body,
      status: res.writableEnded ? res.statusCode : undefined,
      ms: Math.round(performance.now() - since),
      answer: answer === undefined ? '' : startOf(JSON.stringify(answer)),
      meaning: `${error ? `The platform refuses: ${error.message}` : "The platform's API."}${said}`,
    })
  }
  // Before the caller has the answer, or when the call ends without one.
  res.once('prefinish', note).once('close', note)
}

/** The most characters of an answer that the log keeps: a page of a list can be long, and there are many. */
const keptAnswer = 16 * 1024

/** A copy of the first characters. A plain `slice` would keep the whole text in memory. */
const startOf = (text: string): string => Buffer.from(text.slice(0, keptAnswer)).toString()
