import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import { pathOf } from './answer.ts'

/** Gives a request its id and writes one line when it is answered. Returns the id. */
export type AccessLog = (req: IncomingMessage, res: ServerResponse) => string

/**
 * One line per answered request: id, method, route, status and milliseconds. Tokens, queries, headers and bodies are never
 * in it: a route is named by its shape.
 */
export function accessLog(logger: Logger): AccessLog {
  const log = pinoHttp({
    logger,
    genReqId: (req) => incomingId(req) ?? randomUUID(),
    serializers: {
      req: (req: { id: unknown; method: string; raw: IncomingMessage }) => ({
        id: req.id,
        method: req.method,
        route: routeOf(req.raw),
      }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
    customLogLevel: (_req, res, error) => (error || res.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered with an error',
    customAttributeKeys: { responseTime: 'ms' },
  })
  return (req, res) => {
    log(req, res)
    return String(req.id)
  }
}

/** A caller's own request id is kept when it is harmless, so that both logs can be read side by side. */
function incomingId(req: IncomingMessage): string | undefined {
  const id = req.headers['x-request-id']
  return typeof id === 'string' && /^[\w.-]{8,64}$/.test(id) ? id : undefined
}

const tokenRoute = /^\/([epn])\/[^/]*(\/(?:shipment_methods|payment_methods|payment|done|return))?(\/[^/]+)?$/

function routeOf(req: IncomingMessage): string {
  const path = pathOf(req)
  if (path.startsWith('/health/')) return path.slice(0, 20)
  const [, kind, name = '', rest = ''] = tokenRoute.exec(path) ?? []
  return kind ? `/${kind}/:token${name}${rest && '/:id'}` : 'other'
}
