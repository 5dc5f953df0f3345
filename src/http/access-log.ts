import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import { pathOf } from './answer.ts'
import { tellableError } from './tellable-error.ts'

/**
 * One line per answered request: id, method, route, status and milliseconds. Tokens, queries, headers and bodies are never
 * in it: a route is named by its shape.
 */
export interface AccessLog {
  requestId(req: IncomingMessage): string
  /** For what Express answers. */
  middleware: (req: IncomingMessage, res: ServerResponse, next: () => void) => void
  /** The same line, written by a handler that answers by itself: it spares the request a logger of its own. */
  answered(req: IncomingMessage, requestId: string, status: number, ms: number): void
}

export function accessLog(logger: Logger): AccessLog {
  const middleware = pinoHttp({
    logger,
    genReqId: requestId,
    // The wrappers would copy every header of every request first.
    wrapSerializers: false,
    serializers: {
      req: (req: IncomingMessage) => ({ id: req.id, method: req.method, route: routeOf(req) }),
      res: (res: ServerResponse) => ({ status: res.statusCode }),
      err: tellableError,
    },
    customLogLevel: (_req, res, error) => (error ? 'error' : levelOf(res.statusCode)),
    customSuccessMessage: () => 'answered',
    // What went wrong was logged where it did; here it would be a made-up error.
    customErrorMessage: () => 'answered',
    customErrorObject: (_req, _res, _error, { res, ms }) => ({ res, ms }),
    customAttributeKeys: { responseTime: 'ms' },
  })
  return {
    requestId,
    middleware,
    answered(req, id, status, ms) {
      logger[levelOf(status)](
        { req: { id, method: req.method, route: routeOf(req) }, res: { status }, ms },
        'answered',
      )
    },
  }
}

const levelOf = (status: number) => (status >= 500 ? 'error' : 'info')

/** A caller's own request id is kept when it is harmless, so that both logs can be read side by side. */
function requestId(req: IncomingMessage): string {
  const id = req.headers['x-request-id']
  return typeof id === 'string' && /^[\w.-]{8,64}$/.test(id) ? id : randomUUID()
}

const tokenRoute =
  /^\/([epn])\/[^/]*(\/(?:shipment_methods|payment_methods|payment|explanations|done|return))?(\/[^/]+)?$/

function routeOf(req: IncomingMessage): string {
  const path = pathOf(req)
  if (path.startsWith('/health/')) return path.slice(0, 20)
  const [, kind, name = '', rest = ''] = tokenRoute.exec(path) ?? []
  return kind ? `/${kind}/:token${name}${rest && '/:id'}` : 'other'
}
