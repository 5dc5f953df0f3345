import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Request, RequestHandler, Response, Router } from 'express'
import type { Logger } from 'pino'
import { Problem } from '../contract/index.ts'
import { foreignPart } from '../network/private-network.ts'
import type { ProviderObserver } from '../observability/observer.ts'
import type { Workings } from '../parts.ts'
import type { Addresses } from '../payments/addresses.ts'
import { version } from '../version.ts'
import type { Observer } from '../world.ts'
import { type AccessLog, accessLog, loadExpress, loadHelmet, noteAbout } from './access-log.ts'
import { AnswersTogether, problemAnswer, problemOf, refusalAnswer, writeAnswer } from './answer.ts'
import { sameAs } from './callers.ts'
import { type ContractOptions, contractHandler } from './contract-routes.ts'
import { KnownShops } from './endpoints.ts'
import { healthAnswers } from './health.ts'
import { pageRoutes } from './pages/routes.ts'
import { pushRoutes, resourceRoutes } from './push-routes.ts'
import { checkHead } from './read-body.ts'
import { restHandler } from './rest-handler.ts'
import { readWellKnown, wellKnownRoute } from './well-known.ts'

interface MetricsAccess {
  /** The required bearer token. Without it `/metrics` is open in development and closed in production. */
  token: string | undefined
  development: boolean
  /** The metrics in the text format of Prometheus; `undefined` before the start. */
  text(): Promise<string> | undefined
}

/** `/metrics`. A request without the token gets the same 404 as an unknown address. */
function metricsRoute(
  { token, development, text }: MetricsAccess,
  observer: Pick<Observer, 'refused'>,
): RequestHandler {
  const isToken = token === undefined ? () => development : sameAs(token)
  const shown = (req: Request) => /^Bearer +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1] ?? ''
  return async (req, res) => {
    const allowed = isToken(shown(req))
    if (!allowed) observer.refused('METRICS_REFUSED')
    const numbers = req.method === 'GET' && allowed ? text() : undefined
    if (!numbers) throw new Problem('NOT_FOUND')
    res.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8').send(await numbers)
  }
}

/**
 * For answers of the provider's own server in production: browsers use only TLS for this host, for a year. Other hosts of the domain are
 * not affected. A router that is mounted in an app sends none, because host and certificate are the app's.
 */
const transportSecurity = ['Strict-Transport-Security', 'max-age=31536000'] as const

/**
 * For JSON answers to platforms and payment services. No browser shows them as a page, so what only concerns documents is left out: it
 * would be half of the head of each answer. Without guessing at types a browser renders none of them either.
 */
const answerHeaders = ['X-Content-Type-Options', 'nosniff'] as const

/** The headers of helmet for what a browser may show. A flat list of names and values, as for `writeHead`; the same for every answer. */
export function documentHeaders(): string[] {
  const headers: string[] = []
  const recorder = {
    setHeader: (name: string, value: string) => headers.push(name, value),
    removeHeader: () => {},
  } as unknown as ServerResponse
  loadHelmet()({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: false,
    // Pages override it: their forms need an Origin header.
    referrerPolicy: { policy: 'no-referrer' },
  })({} as IncomingMessage, recorder, () => {})
  return headers
}

export interface RouterOptions extends Omit<ContractOptions, 'access' | 'known'> {
  logger: Logger
  state: { stopping: boolean }
  /** Serves the contract at `/openapi.json`. */
  openapi: boolean
  observer: ProviderObserver
  metrics: MetricsAccess
  /** At `/console`. Default: none. */
  console?: { router: Router; knows(req: IncomingMessage): boolean } | undefined
}

/** All routes of a provider, in two equivalent forms. */
export interface Routes {
  /** For mounting in an Express app. */
  router: Express
  /** For a plain Node server: contract routes are answered without Express. */
  listener: (req: IncomingMessage, res: ServerResponse) => void
}

export function providerRoutes(workings: Workings, options: RouterOptions): Routes {
  const { logger, gate, observer } = options
  const { development } = workings
  const ofOwnServer = development ? [] : transportSecurity
  const ownAnswerHeaders = [...answerHeaders, ...ofOwnServer]
  const refused = development ? ownMachineGuard(observer) : () => false
  const access = accessLog(logger, observer)
  const known = new KnownShops(workings.world)
  const answers = new AnswersTogether()
  const contract = contractHandler(workings, { ...options, access, known })
  const headers = documentHeaders()
  const pages = pageRoutes(workings, gate, headers)
  const health = healthAnswers(workings, observer, options.state, known)
  const routes = restRoutes(workings, options, { access, headers, pages: pages.router })
  const knows = (req: IncomingMessage) => options.console?.knows(req) ?? false
  const answerRest = restHandler(workings.world, { access, headers, health, gate, pages, routes, knows })

  const router = bareExpress()
  router.use((req, res, next) => {
    // The surrounding app may add X-Powered-By; our answers do not.
    res.removeHeader('X-Powered-By')
    if (!refused(req, res) && !contract(req, res, answerHeaders)) next()
  })
  router.use(answerRest)

  return {
    router,
    listener: (req, res) => {
      if (refused(req, res)) return
      useOriginForm(req)
      if (contract(req, res, ownAnswerHeaders, answers.end)) return
      const [name, value] = ofOwnServer
      if (name !== undefined) res.setHeader(name, value)
      answerRest(req, res)
    },
  }
}

/**
 * Development serves callers on this machine and no others. It refuses other addresses, other host names (a website may point its own name
 * here) and every proxied request: behind a proxy on this machine every stranger looks local. Returns whether it refused.
 */
const ownMachineGuard =
  (observer: Observer) =>
  (req: IncomingMessage, res: ServerResponse): boolean => {
    const refused = foreignPart(req)
    if (refused === undefined) return false
    const code = 'NOT_THIS_MACHINE'
    observer.refused(code, { refused })
    writeAnswer(res, answerHeaders, randomUUID(), refusalAnswer(code))
    return true
  }

/** Everything but the contract. */
function restRoutes(
  workings: Workings,
  { gate, openapi, observer, metrics, console }: RouterOptions,
  { access, headers, pages }: { access: AccessLog; headers: readonly string[]; pages: Router },
): Express {
  const rest = bareExpress()
  rest.use(access.middleware)
  rest.use((req, res, next) => {
    for (let name = 0; name < headers.length; name += 2) res.setHeader(headers[name]!, headers[name + 1]!)
    res.setHeader('X-Request-Id', String(req.id))
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  rest.use((req, _res, next) => {
    checkHead(req)
    next()
  })
  rest.use('/p', pages)
  if (console) rest.use('/console', console.router)
  rest.get('/.well-known/:name', wellKnownRoute(readWellKnown(workings.payments.adapters).files))
  rest.get('/metrics', metricsRoute(metrics, observer))
  if (openapi) rest.get('/openapi.json', openApiRoute(workings.addresses))
  if (workings.payments.adapters.some(({ push }) => push)) rest.use('/n', pushRoutes(workings, gate))
  if (Object.keys(workings.resourceHandlers).length > 0) rest.use('/w', resourceRoutes(workings, gate))
  rest.use((req) => {
    throw new Problem(
      req.method === 'HEAD' || req.method === 'GET' || req.method === 'POST'
        ? 'NOT_FOUND'
        : 'METHOD_NOT_ALLOWED',
    )
  })
  rest.use((error: unknown, req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    const known = problemOf(error)
    if (!(known instanceof Problem)) workings.world.log.error({ err: known }, 'a request failed')
    const answer = problemAnswer(known, String(req.id), req)
    if (answer.code) noteAbout(res, { code: answer.code })
    writeAnswer(res, [], String(req.id), answer)
  })
  return rest
}

export function bareExpress(): Express {
  const app = loadExpress()()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  // No answer has a validator, and Express would answer `If-None-Match: *` with 304.
  Object.defineProperty(app.request, 'fresh', { value: false })
  return app
}

/**
 * A request may name its address in full (RFC 9112, 3.2.2), as clients of a proxy do: from now on it names the path alone. Express would
 * read the whole address, and Node prints one that is invalid to standard error.
 */
export function useOriginForm(req: IncomingMessage): void {
  const { url = '/' } = req
  if (url.startsWith('/') || url === '*') return
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  req.url = `${pathname || '/'}${search}`
}

/** Serves the document. It is made once, at the first request: strangers can ask for it, and it takes 15 ms. */
export function openApiRoute(addresses: Pick<Addresses, 'publicUrl'>) {
  let made: Promise<object> | undefined
  return async (_req: Request, res: Response) => {
    made ??= import('./openapi/document.ts').then(({ openApiDocument }) =>
      openApiDocument({ publicUrl: addresses.publicUrl, version }),
    )
    made.catch(() => {
      made = undefined
    })
    res.json(await made)
  }
}
