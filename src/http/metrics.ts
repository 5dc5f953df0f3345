import type { Request, RequestHandler } from 'express'
import { Problem } from '../contract/index.ts'
import { sameAs } from './callers.ts'

export interface MetricsAccess {
  /** What a caller shows as its bearer token. Without it everybody may look in development, and nobody in production. */
  token: string | undefined
  development: boolean
  /** The numbers in the text format of Prometheus; `undefined` before the start. */
  text(): Promise<string> | undefined
}

/** `/metrics`. Who may not look is told what an unknown address is told. */
export function metricsRoute({ token, development, text }: MetricsAccess): RequestHandler {
  const isToken = token === undefined ? () => development : sameAs(token)
  const shown = (req: Request) => /^Bearer +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1] ?? ''
  return async (req, res) => {
    const told = req.method === 'GET' && isToken(shown(req)) ? text() : undefined
    if (!told) throw new Problem('NOT_FOUND')
    res.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8').send(await told)
  }
}
