import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import type { ProblemCode } from '../contract/index.ts'
import type { ProviderObserver, SeenRequest } from '../observability/observer.ts'
import { tellableError } from '../observability/tellable-error.ts'
import { pathOf } from './answer.ts'

/**
 * One line per answered request, at `info`; of what strangers ask for at `debug`: id, trace, method, route, status and milliseconds. Tokens, queries, headers and bodies are never
 * in it: a route is named by its shape.
 */
export interface AccessLog {
  /** For what Express answers. What follows belongs to the request, as `observer` sees it. */
  middleware: (req: IncomingMessage, res: ServerResponse, next: () => void) => void
  /** Begins a request that a handler answers by itself: it spares the request a logger of its own. */
  begin(req: IncomingMessage): SeenRequest
  /** The line of a request that was begun here. `code` is the problem it was answered with. */
  answered(seen: SeenRequest, status: number, ms: number, code?: string): void
}

export function accessLog(logger: Logger, observer: ProviderObserver): AccessLog {
  const seenOf = new WeakMap<IncomingMessage, SeenRequest>()
  const write = pinoHttp({
    logger,
    genReqId: requestId,
    // Asked for at the beginning too, where nothing is known yet: each name stands in the line once.
    customProps(req) {
      const seen = seenOf.get(req)
      return seen ? { requestId: seen.requestId, traceId: seen.traceId } : {}
    },
    // The wrappers would copy every header of every request first.
    wrapSerializers: false,
    serializers: {
      req: (req: IncomingMessage) => ({ method: req.method, route: routeOf(req) }),
      res: (res: ServerResponse) => ({ status: res.statusCode }),
      err: tellableError,
    },
    customLogLevel: (_req, res, error) => (error ? 'error' : levelOf(res.statusCode, problemCodes.get(res))),
    customSuccessMessage: () => 'answered',
    // What went wrong was logged where it did; here it would be a made-up error.
    customErrorMessage: () => 'answered',
    customErrorObject: (_req, _res, _error, { res, ms }) => ({ res, ms }),
    customAttributeKeys: { responseTime: 'ms' },
  })
  return {
    middleware(req, res, next) {
      write(req, res)
      const seen = observer.request(req, routeOf(req), String(req.id))
      seenOf.set(req, seen)
      // Who left before the answer was told nothing.
      const status = () => (res.writableFinished ? res.statusCode : clientLeft)
      res.once('close', () => seen.answered(status(), problemCodes.get(res)))
      seen.run(next)
    },
    begin: (req) => observer.request(req, routeOf(req), requestId(req)),
    answered({ requestId, traceId, method, route }, status, ms, code) {
      logger[levelOf(status, code)](
        { requestId, traceId, req: { method, route }, res: { status }, ms },
        'answered',
      )
    },
  }
}

/** Which problem Express answered with. */
const problemCodes = new WeakMap<ServerResponse, string>()
export const noteProblem = (res: ServerResponse, code: ProblemCode): void => void problemCodes.set(res, code)

/** As proxies log it. */
const clientLeft = 499

/** What strangers are answered is counted, and is a line at `debug` only: they could fill the disk. */
const ofStrangers = new Set(['NOT_FOUND', 'TOO_MANY_REQUESTS', 'HOST_HEADER_INVALID', 'METHOD_NOT_ALLOWED'])

const levelOf = (status: number, code: string | undefined) =>
  status >= 500 ? 'error' : code !== undefined && ofStrangers.has(code) ? 'debug' : 'info'

/** A caller's own request id is kept when it is harmless, so that both logs can be read side by side. */
function requestId(req: IncomingMessage): string {
  const id = req.headers['x-request-id']
  return typeof id === 'string' && /^[\w.-]{8,64}$/.test(id) ? id : randomUUID()
}

const tokenRoute =
  /^\/([epn])\/[^/]*(\/(?:shipment_methods|payment_methods|payment|explanations|done|return))?(\/[^/]+)?$/

function routeOf(req: IncomingMessage): string {
  const path = pathOf(req)
  if (/^\/(health\/(live|ready(\/rates)?)|metrics|openapi\.json)$/.test(path)) return path
  const [, kind, name = '', rest = ''] = tokenRoute.exec(path) ?? []
  return kind ? `/${kind}/:token${name}${rest && '/:id'}` : 'other'
}
