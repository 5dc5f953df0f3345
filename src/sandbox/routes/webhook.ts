import express, { type Request, type Response, Router } from 'express'
import { cleanBody } from '../../contract/index.ts'
import type { Shop } from '../shop.ts'

/** The address that providers call when a slow payment is done. The spec names no method for it (spec 4.3), so all are accepted. */
export function webhookRoutes(shop: Shop): Router {
  const router = Router()
  const text = express.text({ type: () => true, limit: '64kb' })

  router.all('/webhooks/orders/:id', text, async (req: Request, res: Response) => {
    const at = shop.clock.now()
    const since = performance.now()
    const order = shop.order(Number(req.params.id))
    const { status, headers = {} } = order ? await shop.takeWebhook(order.id) : { status: 404 }
    shop.log.add({
      at,
      direction: 'provider to shop',
      orderId: order?.id,
      method: req.method,
      path: req.path.slice(1),
      url: req.originalUrl,
      request: parsed(req.body),
      status,
      ms: Math.round(performance.now() - since),
      headers: { request: textHeaders(req), answer: headers },
      answer: '',
      faults: [],
      meaning: meaningOf(status),
    })
    res.status(status).set(headers).end()
  })
  return router
}

const textHeaders = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function meaningOf(status: number): string {
  if (status === 200) return 'The shop reads the status of the payment again.'
  return status === 404 ? 'There is no such order.' : 'The shop refuses it, as the switch "webhook" says.'
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') return undefined
  try {
    const message: unknown = JSON.parse(body)
    cleanBody(message)
    return message
  } catch {
    return body
  }
}
