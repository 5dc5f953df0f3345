import type { Request, Router } from 'express'
import { Problem } from '../contract/index.ts'
import { hashToken } from '../shops/tokens.ts'
import { fromPlatform } from '../use-cases/push-content.ts'
import { takeResourceEvent } from '../use-cases/resource-events/take-event.ts'
import type { Workings } from '../use-cases/workings.ts'
import { noteAbout } from './access-log.ts'
import { loadExpress } from './packages.ts'
import { plainHeaders } from './push-routes.ts'
import { readBytes } from './read-body.ts'
import type { StrangersLane } from './strangers-lane.ts'

/** An order of hundreds of lines with its addresses and texts fits in. */
const mostBytes = 1024 * 1024

/** Receives the resource events of a shop's platform at `/w/{token}`. Answers 204 once the event is on disk. */
export function resourceRoutes(workings: Workings, lane: StrangersLane): Router {
  const router = loadExpress().Router()
  router.post('/:token', async (req: Request, res) => {
    const tokenHash = hashToken(String(req.params.token))
    const find = () => workings.store.shopByPushToken(fromPlatform, tokenHash)
    const shop = await lane.find(req, tokenHash, find)
    if (!shop) throw new Problem('NOT_FOUND')
    noteAbout(res, { shop: shop.id })
    if ((req as { body?: unknown }).body !== undefined) throw new Problem('BODY_ALREADY_READ')
    await takeResourceEvent(workings, shop, {
      headers: plainHeaders(req.headers),
      body: await readBytes(req, mostBytes),
    })
    res.status(204).end()
  })
  return router
}
