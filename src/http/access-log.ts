import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type express from 'express'
import type helmet from 'helmet'
import type { imageSize } from 'image-size'
import type { IntlMessageFormat } from 'intl-messageformat'
import type { Logger } from 'pino'
import type { pinoHttp } from 'pino-http'
import type { ProblemCode } from '../contract/index.ts'
import { loggableError } from '../observability/log.ts'
import type { ProviderObserver, SeenRequest } from '../observability/observer.ts'

// Packages that only a router or a page needs, loaded for the first one: loading their 100 files takes longer than running a command that
// reads the store.

const require = createRequire(import.meta.url)

export const loadExpress = (): typeof express => require('express')
export const loadHelmet = (): typeof helmet => require('helmet')
const loadPinoHttp = (): { pinoHttp: typeof pinoHttp } => require('pino-http')
export const loadMessageFormat = (): { IntlMessageFormat: typeof IntlMessageFormat } =>
  require('intl-messageformat')
export const loadImageSize = (): typeof imageSize => require('image-size').imageSize

/** A path as Express compares it: without its case, and without a slash at its end. */
export const foldedPath = (path: string): string => path.toLowerCase().replace(/\/$/, '')

/** The query of an address, which may hold a `?` too. */
export const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

/** A request's path without its query, with doubled slashes collapsed: platforms join addresses carelessly. */
export function pathOf(req: IncomingMessage): string {
  const url = req.url ?? '/'
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
}

/** The parts of a path such as `/e/{token}/payment/{order_id}`. A missing part is an empty text. */
export interface ContractPath {
  token: string
  name: string
  last: string
  /** Whether more parts follow. */
  isLonger: boolean
}

const start = '/e/'

export const isContractPath = (path: string): boolean => path.startsWith(start)

/** Takes a contract path apart without a list of its parts: it is done for every call. */
export function contractPathOf(path: string): ContractPath {
  const afterToken = endOfPart(path, start.length)
  const afterName = endOfPart(path, afterToken + 1)
  const afterLast = endOfPart(path, afterName + 1)
  return {
    token: path.slice(start.length, afterToken),
    name: nameIn(path, afterToken + 1, afterName),
    last: path.slice(afterName + 1, afterLast),
    isLonger: afterLast < path.length,
  }
}

const names = ['shipment_methods', 'payment', 'payment_methods']

/** A usual name is one of a few texts that stay, which are compared and looked up sooner than a part of a path. */
function nameIn(path: string, from: number, to: number): string {
  const usual = names.find((name) => name.length === to - from && path.startsWith(name, from))
  return usual ?? path.slice(from, to)
}

function endOfPart(path: string, from: number): number {
  const end = path.indexOf('/', from)
  return end === -1 ? path.length : end
}

/**
 * Logs one line per answered request, at `info`, and at `debug` for strangers, health checks and further visits of a payment page in the same
 * second. It has id, trace, method, route, status, milliseconds, the ids of shop and order once known, the adapter of a push, and the code of
 * an error answer. Tokens, queries, headers and bodies are never in it: a route is named by its shape.
 */
export interface AccessLog {
  /** For requests that Express answers. Everything after it belongs to the request, as `observer` sees it. */
  middleware: (req: IncomingMessage, res: ServerResponse, next: () => void) => void
  /** Begins a request that a handler answers by itself, without a logger of its own. `path` is that of a contract address. */
  begin(req: IncomingMessage, path?: ContractPath): SeenRequest
  /** The line of a request that was begun here. */
  answered(seen: SeenRequest, status: number, ms: number): void
}

export function accessLog(logger: Logger, observer: ProviderObserver): AccessLog {
  const visited = new Visited()
  const write = loadPinoHttp().pinoHttp({
    logger,
    genReqId: requestId,
    // Also called at the start, before anything is known, so that each name is in the line once.
    customProps(_req, res) {
      const seen = seenOf(res)
      if (!seen) return {}
      const { requestId, traceId, shop, adapter, order, code } = seen
      return { requestId, traceId, shop, adapter, order, code }
    },
    // The wrappers would copy every header of every request first.
    wrapSerializers: false,
    serializers: {
      req: (req: IncomingMessage) => ({ method: req.method, route: routeOf(req) }),
      res: (res: ServerResponse) => ({ status: statusOf(res) }),
      err: loggableError,
    },
    customLogLevel(_req, res, error) {
      const level = error ? 'error' : levelOf(statusOf(res), seenOf(res))
      return level === 'info' && visited.again(seenOf(res)) ? 'debug' : level
    },
    customSuccessMessage: () => 'answered',
    // The error was logged where it occurred; pino-http would invent another one here.
    customErrorMessage: () => 'answered',
    customErrorObject: (_req, _res, _error, { res, ms }) => ({ res, ms }),
    customAttributeKeys: { responseTime: 'ms' },
  })
  return {
    middleware(req, res, next) {
      write(req, res)
      const seen = observer.request(req, routeOf(req), String(req.id))
      ;(res as ServerResponse & SeenResponse)[seenAs] = seen
      res.once('close', () => seen.answered(statusOf(res)))
      seen.run(next)
    },
    begin: (req, path) =>
      observer.request(req, (path && contractRouteOf(path)) ?? routeOf(req), requestId(req)),
    answered(seen, status, ms) {
      const { requestId, traceId, method, route, shop, order, code } = seen
      logger[levelOf(status, seen)](
        { requestId, traceId, req: { method, route }, res: { status }, ms, shop, order, code },
        'answered',
      )
    },
  }
}

/** The payment pages with a line in this second: any number of visits fills no disk. */
class Visited {
  readonly #pages = new Set<string>()
  #second = 0

  again({ route = '', shop, order }: Partial<SeenRequest> = {}): boolean {
    if (!route.startsWith('/p/') || order === undefined) return false
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) this.#pages.clear()
    this.#second = second
    return this.#pages.size === this.#pages.add(`${shop} ${order}`).size
  }
}

const seenAs = Symbol('seen request')
interface SeenResponse {
  [seenAs]?: SeenRequest
}
/** The request that Express answers with `res`; `undefined` before the access log has seen it. */
const seenOf = (res: ServerResponse | undefined) => (res as SeenResponse | undefined)?.[seenAs]

/** The ids for the line of a request that Express answers. */
export function noteAbout(
  res: ServerResponse,
  about: { shop?: string; adapter?: string; order?: string; code?: ProblemCode },
): void {
  Object.assign(seenOf(res) ?? {}, about)
}

/** Proxies log this status for a caller who left before the answer. */
const clientLeft = 499

const statusOf = (res: ServerResponse): number => (res.writableFinished ? res.statusCode : clientLeft)

/** Answers to strangers are counted and logged at `debug` only: they could fill the disk. */
const ofStrangers = new Set(['NOT_FOUND', 'TOO_MANY_REQUESTS', 'HOST_HEADER_INVALID', 'METHOD_NOT_ALLOWED'])

/** Health checks come every few seconds. They are logged at `error` if the store fails: a node that stops answers 503 on purpose. */
function levelOf(status: number, { route = '', code, shop }: Partial<SeenRequest> = {}) {
  const isHealth = route.startsWith('/health/')
  if (isHealth && code === 'SHUTTING_DOWN') return 'debug'
  if (status >= 500) return 'error'
  const ofStranger = code === undefined ? status === clientLeft && shop === undefined : ofStrangers.has(code)
  return isHealth || ofStranger ? 'debug' : 'info'
}

/** Keeps a caller's own request id if it is harmless, so that both logs can be compared. */
function requestId(req: IncomingMessage): string {
  const id = req.headers['x-request-id']
  return typeof id === 'string' && /^[\w.-]{8,64}$/.test(id) ? id : randomUUID()
}

const contractRoutes = new Map(
  ['shipment_methods', 'payment_methods', 'payment'].map((name) => [name, `/e/:token/${name}`]),
)

/** The route of a usual call; `undefined` for other paths. */
function contractRouteOf({ name, last, isLonger }: ContractPath): string | undefined {
  if (last === '') return contractRoutes.get(name)
  return name === 'payment' && !isLonger ? '/e/:token/payment/:id' : undefined
}

const tokenRoute =
  /^\/([epnw])\/[^/]*(\/(?:shipment_methods|payment_methods|payment|explanations|done|return))?(\/[^/]+)?$/

function routeOf(req: IncomingMessage): string {
  const path = foldedPath(pathOf(req))
  if (/^\/(health\/(live|ready(\/rates)?)|metrics|openapi\.json)$/.test(path)) return path
  if (path === '/console' || path.startsWith('/console/')) return '/console'
  const [, kind, name = '', rest = ''] = tokenRoute.exec(path) ?? []
  return kind ? `/${kind}/:token${name}${rest && '/:id'}` : 'other'
}
