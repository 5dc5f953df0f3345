import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'
import { hashPageToken } from '../payments/page-tokens.ts'
import { hashToken } from '../shops/tokens.ts'
import type { MaybePromise, World } from '../world.ts'
import type { AccessLog } from './access-log.ts'
import { type Answer, pathOf, problemAnswer, writeAnswer } from './answer.ts'
import type { HealthAnswers } from './health.ts'
import { KeyedLimits, pageLimits } from './limits.ts'
import type { PageRoutes } from './pages/routes.ts'
import { Places } from './places.ts'
import { checkHead } from './request-head.ts'
import type { StrangersLane } from './strangers-lane.ts'

interface Rest {
  access: AccessLog
  /** Of every answer here but a page. */
  headers: readonly string[]
  health: HealthAnswers
  lane: StrangersLane
  pages: Pick<PageRoutes, 'holds' | 'tooOften'>
  routes: Express
}

/**
 * Handles requests outside the contract. They take far longer than calls of shops, and strangers can send them: so health checks, visits of
 * pages and requests of strangers wait for places of their own, before Express sees them. Only known pushes wait for nothing.
 */
export function restHandler(world: World, { access, headers, health, lane, pages, routes }: Rest) {
  const checks = new Places(world, 'TOO_MANY_VISITS', { newcomersFirst: true })
  const visits = new KeyedLimits(pageLimits, world.now)

  /** Answers without Express. */
  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    work: () => MaybePromise<Answer>,
    common = headers,
  ): Promise<void> {
    // Its peer left while it waited.
    if (res.destroyed) return
    const seen = access.begin(req)
    let given: Answer
    try {
      checkHead(req)
      given = await work()
    } catch (error) {
      given = problemAnswer(error, seen.requestId)
      if (given.code === 'HOST_HEADER_INVALID') given.headers?.push('Connection', 'close')
    }
    writeAnswer(res, common, seen.requestId, given)
    seen.code = given.code
    seen.answered(given.status)
    access.answered(seen, given.status, 0)
  }

  function enterPage(pageHash: string, res: ServerResponse): void {
    try {
      visits.enter(pageHash)
    } catch (problem) {
      world.observer.refused('TOO_MANY_VISITS')
      throw problem
    }
    res.once('close', () => visits.leave(pageHash))
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    const path = pathOf(req)
    const [, kind, first = '', second = ''] = path.split('/')
    const route = () => routes(req as Request, res as Response)
    const refuse = (error: unknown) =>
      answer(req, res, () => {
        throw error
      })
    const check = req.method === 'GET' || req.method === 'HEAD' ? health(path) : undefined
    const pageHash = kind === 'p' ? hashPageToken(first) : undefined
    if (check) {
      checks.enter(req, res).then(() => answer(req, res, check), refuse)
    } else if (pageHash !== undefined && lane.knows(pageHash)) {
      const enter = () => enterPage(pageHash, res)
      const tooOften = () => answer(req, res, () => pages.tooOften(req), [])
      lane.visit(req, res).then(enter).then(route, tooOften)
    } else if (kind === 'metrics' || pages.holds(path)) {
      lane.visit(req, res).then(route, refuse)
    } else if (
      (kind === 'n' && lane.knows(hashToken(second))) ||
      (kind === 'w' && lane.knows(hashToken(first)))
    ) {
      route()
    } else {
      lane.enter(req, res).then(route, refuse)
    }
  }
}
