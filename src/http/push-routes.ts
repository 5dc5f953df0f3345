import type { Request, Response, Router } from 'express'
import { Problem } from '../contract/index.ts'
import type { Parts } from '../parts.ts'
import type { Starting } from '../payments/call-start.ts'
import { answerChallenge, isSharedAddress, ownerOf, takePush } from '../payments/pushes/take-push.ts'
import { type EventHandling, takeResourceEvent } from '../shops/resource-events.ts'
import { fromPlatform, hashToken } from '../shops/seal.ts'
import { loadExpress, noteAbout, queryOf } from './access-log.ts'
import type { Gate } from './places.ts'
import { readBytes } from './read-body.ts'

/** Receives the pushes of payment services at `/n/{adapter}/{push token}`. Answers once the push is on disk: as `push.answer`, or 204. */
export function pushRoutes(workings: Starting, gate: Gate): Router {
  const router = loadExpress().Router()
  const receive = async (req: Request, res: Response) => {
    const adapter = workings.payments.adapters.find(({ name }) => name === req.params.adapter)
    const tokenHash = hashToken(String(req.params.token))
    const shop =
      adapter?.push &&
      (await gate.find(req, tokenHash, async () =>
        isSharedAddress(workings, adapter, tokenHash)
          ? { id: undefined }
          : workings.store.shopByPushToken(adapter.name, tokenHash),
      ))
    if (!adapter || !shop) throw new Problem('NOT_FOUND')
    noteAbout(res, { ...(shop.id && { shop: shop.id }), adapter: adapter.name })
    // A signature covers the exact bytes: a body parsed by other middleware cannot be verified.
    if ((req as { body?: unknown }).body !== undefined) throw new Problem('BODY_ALREADY_READ')
    const body = req.method === 'GET' ? Buffer.alloc(0) : await readBytes(req)
    const push = { body, headers: plainHeaders(req.headers), query: queryOf(req.originalUrl) }
    const shopId = shop.id ?? (await ownerOf(workings, adapter, push))
    if (shopId !== undefined) {
      noteAbout(res, { shop: shopId })
      const challenge =
        req.method === 'GET' ? await answerChallenge(workings, shopId, adapter, push) : undefined
      if (challenge !== undefined) return void res.type('text').send(challenge)
      await takePush(workings, shopId, adapter, push)
    }
    const { answer } = adapter.push!
    if (answer)
      res
        .status(answer.status ?? 200)
        .type('text')
        .send(answer.body ?? '')
    else res.status(204).end()
  }
  router.post('/:adapter/:token', receive)
  router.get('/:adapter/:token', (req, res, next) => {
    // Express would answer HEAD with this route.
    if (req.method === 'HEAD') return next()
    return receive(req, res)
  })
  return router
}

/** Headers by name; one that came several times is a list in text. */
const plainHeaders = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** An order of hundreds of lines with its addresses and texts fits in. */
const mostBytes = 1024 * 1024

/** Receives the resource events of a shop's platform at `/w/{token}`. Answers 204 once the event is on disk. */
export function resourceRoutes(workings: Parts<'wake'> & EventHandling, gate: Gate): Router {
  const router = loadExpress().Router()
  router.post('/:token', async (req: Request, res) => {
    const tokenHash = hashToken(String(req.params.token))
    const find = () => workings.store.shopByPushToken(fromPlatform, tokenHash)
    const shop = await gate.find(req, tokenHash, find)
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
