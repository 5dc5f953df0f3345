import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'
import { hashPageToken } from '../payments/addresses.ts'
import { hashToken } from '../shops/seal.ts'
import type { MaybePromise, World } from '../world.ts'
import { type AccessLog, pathOf } from './access-log.ts'
import { type Answer, respond } from './answer.ts'
import type { HealthAnswers } from './health.ts'
import { KeyedLimits, pageLimits } from './limits.ts'
import type { PageRoutes } from './pages/routes.ts'
import { type Gate, Places } from './places.ts'

interface Rest {
  access: AccessLog
  /** Of every answer here but a page. */
  headers: readonly string[]
  health: HealthAnswers
  gate: Gate
  pages: Pick<PageRoutes, 'holds' | 'tooOften'>
  routes: Express
  /** Whether a request for the console comes from somebody who has signed in. */
  knows(req: IncomingMessage): boolean
}

/**
 * Handles requests outside the contract. They take far longer than calls of shops, and strangers can send them: so health checks, visits of
 * pages and requests of strangers wait for places of their own, before Express sees them. A visit over the rate of its page waits beside all
 * others. Only known pushes wait for nothing.
 */
export function restHandler(world: World, { access, headers, health, gate, pages, routes, knows }: Rest) {
  const checks = new Places(world, 'TOO_MANY_VISITS', { newcomersFirst: true })
  const files = new Places(world, 'TOO_MANY_VISITS', { newcomersFirst: true })
  const floods = new Places(world, 'TOO_MANY_VISITS')
  const visits = new KeyedLimits(pageLimits, world.now)

  /** Whether the page takes this visit now: 60 that wait or are answered are the most. */
  function enterPage(pageHash: string, res: ServerResponse): boolean {
    try {
      visits.enter(pageHash)
    } catch {
      return false
    }
    res.once('close', () => visits.leave(pageHash))
    return true
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    // Its peer left while the surrounding app worked: `close` does not come again.
    if (res.destroyed) return
    const path = pathOf(req)
    const [, kind, first = '', second = ''] = path.split('/')
    const answer = (work: () => MaybePromise<Answer>, common = headers) =>
      respond(world, access, [req, res], { common, work })
    const route = () => {
      if (!res.headersSent) routes(req as Request, res as Response)
    }
    const refuse = (error: unknown) =>
      answer(() => {
        throw error
      })
    const check = req.method === 'GET' || req.method === 'HEAD' ? health(path) : undefined
    const pageHash = kind === 'p' ? hashPageToken(first) : undefined
    if (check) {
      checks.enter(req, res).then(() => answer(check), refuse)
    } else if (pageHash !== undefined && gate.knows(pageHash)) {
      const tooOften = () => answer(() => pages.tooOften(req), [])
      if (enterPage(pageHash, res)) gate.visitors.enter(req, res).then(route, tooOften)
      else
        floods
          .enter(req, res)
          .then(() => world.observer.refused('TOO_MANY_VISITS'))
          .then(tooOften, tooOften)
    } else if (kind === 'metrics' || pages.holds(path)) {
      files.enter(req, res).then(route, refuse)
    } else if (
      (kind === 'n' && gate.knows(hashToken(second))) ||
      (kind === 'w' && gate.knows(hashToken(first))) ||
      (kind === 'console' && knows(req))
    ) {
      route()
    } else {
      gate.strangers.enter(req, res).then(route, refuse)
    }
  }
}
