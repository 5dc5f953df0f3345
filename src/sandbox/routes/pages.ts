import { type Request, type Response, Router } from 'express'
import { html } from 'hono/html'
import { sendFile } from '../../http/pages/layout.ts'
import { assetsPath } from '../../http/pages/parts/frame.ts'
import { live } from '../../http/pages/parts/live.ts'
import { stylesheet } from '../../http/pages/style/style.ts'
import type { OpenShop } from '../opened.ts'
import { paysOwn } from '../orders.ts'
import { totalScript } from '../pages/checkout.ts'
import { notRunningPage, sendPage } from '../pages/layout.ts'
import { customerRoutes } from './customer.ts'
import { merchantRoutes } from './merchant.ts'
import { workbenchRoutes } from './workbench.ts'

const files = new Map([stylesheet, live, totalScript].map(({ name, file }) => [name, file]))

export function pageRoutes({ shop, runs, api }: OpenShop): Router {
  const router = Router()
  /** Cart and checkout show methods of a provider, and a payment begins on its page. While it does not run they say why. */
  const running = async (_req: Request, res: Response, next: () => void) => {
    await shop.provider.settled()
    const { fault } = shop.provider
    if (fault) sendPage(res, 503, notRunningPage(fault))
    else next()
  }
  router.get(`${assetsPath}/:name`, (req, res, next) => sendFile(res, files.get(req.params.name), next))
  router.get(['/', '/checkout', '/checkout/:id'], running)
  router.get('/orders/:id/payment', async (req, res, next) => {
    const order = shop.order(Number(req.params.id))
    if (order && !paysOwn(order)) await running(req, res, next)
    else next()
  })
  customerRoutes(router, shop)
  merchantRoutes(router, shop, api)
  workbenchRoutes(router, shop, runs)
  router.use((req, res) =>
    sendPage(res, 404, {
      title: `There is no page at ${req.path.slice(0, 100)}`,
      content: html`<p>Check the address, begin at <a href="/">the cart</a>, or look into <a href="/log">the log</a>.</p>`,
    }),
  )
  return router
}
