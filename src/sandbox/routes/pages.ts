import { type Request, type Response, Router } from 'express'
import { notRunningPage } from '../pages/not-running.ts'
import type { ScenarioRuns } from '../scenarios/runs.ts'
import type { Shop } from '../shop.ts'
import { customerRoutes } from './customer.ts'
import { ownerRoutes } from './owner.ts'
import { sendPage } from './send.ts'
import { workbenchRoutes } from './workbench.ts'

interface PagesOptions {
  shop: Shop
  runs: ScenarioRuns
  /** The credentials that the owner sees. */
  api: { key: string; secret: string; appSecret: string }
}

/** Cart and checkout only show methods of a provider that runs. Without one they say why. */
const whileRunning = (shop: Shop) => async (_req: Request, res: Response, next: () => void) => {
  await shop.provider.settled()
  const { fault } = shop.provider
  if (fault) sendPage(res, 503, notRunningPage(fault))
  else next()
}

/** Every page of the shop: the customer's, the owner's and the developer's. */
export function pageRoutes({ shop, runs, api }: PagesOptions): Router {
  const router = Router()
  router.get(['/', '/checkout', '/checkout/:id'], whileRunning(shop))
  router.use(customerRoutes(shop))
  router.use(ownerRoutes(shop, { api: () => ({ baseUrl: shop.apiUrl, ...api }) }))
  router.use(workbenchRoutes(shop, runs))
  router.use((_req, res) => sendPage(res, 404, { title: 'There is no such page', content: '' as never }))
  return router
}
