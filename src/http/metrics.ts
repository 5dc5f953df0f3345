import type { Request, RequestHandler } from 'express'
import { Problem } from '../contract/index.ts'
import type { Observer } from '../world.ts'
import { sameAs } from './callers.ts'

export interface MetricsAccess {
  /** The required bearer token. Without it `/metrics` is open in development and closed in production. */
  token: string | undefined
  development: boolean
  /** The metrics in the text format of Prometheus; `undefined` before the start. */
  text(): Promise<string> | undefined
}

/** `/metrics`. A request without the token gets the same 404 as an unknown address. */
export function metricsRoute(
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
