import { type Request, type Response, Router } from 'express'
import { html } from 'hono/html'
import { z } from 'zod'
import { serviceTypes } from '../../contract/index.ts'
import { sendFile } from '../../http/pages/layout.ts'
import { assetsPath } from '../../http/pages/parts/frame.ts'
import { live } from '../../http/pages/parts/live.ts'
import { stylesheet } from '../../http/pages/style/style.ts'
import { languages } from '../../messages/live.ts'
import { type Charge, callbackUrlOf } from '../charges.ts'
import type { OpenShop } from '../opened.ts'
import { paysOwn } from '../orders.ts'
import { totalScript } from '../pages/checkout.ts'
import { form, notRunningPage, sendPage } from '../pages/layout.ts'
import {
  approvalPage,
  backToAppPage,
  type Credentials,
  chargesPage,
  invoicesPage,
  servicesPage,
} from '../pages/services.ts'
import type { Shop } from '../shop.ts'
import { endpointFault } from '../state.ts'
import { customerRoutes } from './customer.ts'
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

const serviceForm = z.object({
  type: z.enum(serviceTypes),
  name: z.string().trim().min(1).max(100),
  urlEndpoint: z.string().trim(),
  shop: z.union([z.literal('').transform(() => undefined), z.coerce.number().int()]).optional(),
  rateEstimate: z
    .literal('1')
    .optional()
    .transform((value) => value === '1'),
})

function merchantRoutes(router: Router, shop: Shop, api: Credentials): void {
  serviceRoutes(router, shop, api)
  chargeRoutes(router, shop, api)
  router.get('/invoices', (_req, res) => {
    shop.charges.settle()
    sendPage(res, 200, invoicesPage(shop.invoices.all()))
  })
}

function serviceRoutes(router: Router, shop: Shop, api: Credentials): void {
  router.get('/services', (_req, res) => sendPage(res, 200, servicesPage(shop, api, {})))

  router.post('/services', form, (req, res) => {
    const { data } = serviceForm.safeParse(req.body)
    const fault = data && endpointFault(data.urlEndpoint)
    const isUnknownShop = data?.shop !== undefined && !shop.catalogue.shopWith(data.shop)
    if (!data || fault || isUnknownShop) {
      const ofShop = isUnknownShop && 'The platform has no such shop.'
      const message = fault
        ? `urlEndpoint ${fault}.`
        : ofShop || 'A service needs a type, a name and a urlEndpoint.'
      return sendPage(res, 422, servicesPage(shop, api, { message, filledIn: req.body }))
    }
    shop.services.add(data)
    res.redirect(303, '/services')
  })

  router.post('/services/:id', form, (req, res) => {
    const service = shop.services.get(Number(req.params.id))
    const action = String((req.body as { action?: unknown } | undefined)?.action)
    if (service) {
      if (action === 'activate' || action === 'deactivate')
        shop.services.change(service, { isActive: action === 'activate' })
      if (action.startsWith('estimates-'))
        shop.services.change(service, { rateEstimate: action === 'estimates-on' })
      if (action === 'remove') shop.services.remove(service.id)
    }
    res.redirect(303, '/services')
  })
}

function chargeRoutes(router: Router, shop: Shop, { appSecret }: Credentials): void {
  router.get('/charges', (_req, res) => sendPage(res, 200, chargesPage(shop.charges.all())))

  /** The token proves that the caller is the merchant. */
  const onCharge = (
    method: 'get' | 'post',
    name: string,
    answer: (charge: Charge, req: Request, res: Response) => void,
  ) =>
    router[method](`/charges/:id/${name}`, form, (req: Request, res: Response) => {
      const charge = shop.charges.get(Number(req.params.id))
      if (charge && charge.token === req.query.token) return answer(charge, req, res)
      sendPage(res, 404, { title: 'There is no such charge' })
    })
  const showApproval = (charge: Charge, res: Response, status: number) =>
    sendPage(res, status, approvalPage(charge, new URL(charge.callbackUrl).host))
  const sendBack = (charge: Charge, req: Request, res: Response) => {
    const language = req.acceptsLanguages([...languages]) || languages[0]
    const callbackUrl = callbackUrlOf(charge, { language, appSecret, now: shop.clock.now() })
    sendPage(res, 200, backToAppPage(charge, callbackUrl))
  }
  onCharge('get', 'approval', (charge, _req, res) => showApproval(charge, res, 200))
  onCharge('get', 'cancel', (charge, ...call) => sendBack(shop.charges.cancel(charge.id) ?? charge, ...call))
  onCharge('post', 'approval', (charge, req, res) => {
    const { decision } = (req.body ?? {}) as { decision?: string }
    if (decision !== 'approve' && decision !== 'decline') return showApproval(charge, res, 422)
    sendBack(shop.charges.decide(charge.id, decision === 'approve') ?? charge, req, res)
  })
}
