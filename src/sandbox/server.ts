import express, { type Express, type Request, type Response, type Router } from 'express'
import helmet from 'helmet'
import { cleanBody } from '../contract/index.ts'
import { isForwarded, isLoopbackAuthority } from '../network/private-network.ts'
import { ApiError, answerError } from './api/answers.ts'
import { apiRoutes } from './api/routes.ts'
import type { OpenShop } from './opened.ts'
import type { Shop } from './shop.ts'
import type { State } from './state.ts'

/** Admits programs on this machine, our own pages, and customers who return from a payment page. Others get 403 before their call is read. */
async function ownCallersOnly(req: Request, res: Response, next: () => void): Promise<void> {
  const why = whyRefused(req)
  const own = `${req.protocol}://127.0.0.1:${req.socket.localPort}`
  const message = `${why} (SANDBOX_CALLER_REFUSED). Call it from this machine, as ${own}.`
  if (why === undefined) next()
  else if (isApi(req)) await answerError(req, res, new ApiError(403, message))
  else res.status(403).json({ error: message })
}

/** Programs send neither `Origin` nor `Sec-Fetch-Site`; no script in a browser can leave them out or change them. */
function whyRefused(req: Request): string | undefined {
  const [host = '', ...moreHosts] = req.headersDistinct.host ?? []
  if (moreHosts.length > 0 || !isLoopbackAuthority(host)) return 'The Host header names another machine'
  if (isForwarded(req.headers)) return 'A proxy or tunnel has passed the request on'
  const origin = req.get('origin')
  if (origin !== undefined && origin.toLowerCase() !== `${req.protocol}://${host}`.toLowerCase())
    return 'The Origin header names another website'
  const site = req.get('sec-fetch-site')
  const own = site === undefined || site === 'same-origin' || site === 'none'
  return own || followsLink(req) ? undefined : 'Another website in the browser makes this call'
}

/** A top-level navigation of the browser, as at the end of a payment page. The API and the webhooks have no pages. */
const followsLink = (req: Request): boolean =>
  req.method === 'GET' &&
  req.get('sec-fetch-mode') === 'navigate' &&
  req.get('sec-fetch-dest') === 'document' &&
  !isApi(req) &&
  !isUnder('webhooks', req)

/** An address of the API at the root of the host. No page has a format in its address, or begins with a language. */
const isApiPath = (path: string): boolean => /\.(json|xml)$|^\/[a-z]{2}\//i.test(path)

const isApi = (req: Request): boolean => isUnder('api', req) || isApiPath(req.path)

const isUnder = (folder: string, { path }: Request): boolean =>
  `${path.toLowerCase()}/`.startsWith(`/${folder}/`)

export function shopServer(opened: OpenShop): Express {
  const { shop, state } = opened
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  // Pages bring the policy of their content.
  const referrerPolicy = { policy: 'same-origin' } as const
  app.use(helmet({ strictTransportSecurity: false, referrerPolicy, contentSecurityPolicy: false }))
  app.use(ownCallersOnly)
  app.locals.shop = shop
  const routes = apiRoutes(opened)
  app.use('/api', routes)
  // Some clients can name a host only, so the API stands at its root too.
  app.use((req, res, next) => (isApiPath(req.path) ? routes(req, res, next) : next()))
  app.all('/webhooks/orders/:id', express.text({ type: () => true, limit: '64kb' }), webhookRoute(shop))
  app.get('/events', liveRoute(state))
  // The first visitor loads the pages: programs call the API alone, and a start does not wait for them.
  let pages: Promise<Router> | undefined
  app.use(async (req, res, next) => {
    pages ??= import('./routes/pages.ts').then(({ pageRoutes }) => pageRoutes(opened))
    ;(await pages)(req, res, next)
  })
  app.use(async (error: unknown, _req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    const status = (error as { status?: number }).status ?? 500
    if (status === 500) console.error(error)
    const title = status === 500 ? 'The sandbox has a fault' : 'The shop cannot read this'
    const { sendPage } = await import('./pages/layout.ts')
    sendPage(res, status, { title })
  })
  return app
}

/** Sends a page an event after a change, one for those within 50 ms. The page then loads itself again. */
const liveRoute = (state: State) => (req: Request, res: Response) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  res.write(':\n\n')
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      res.write('data: changed\n\n')
    }, 50)
  }
  state.changes.on('change', send)
  req.on('close', () => {
    state.changes.off('change', send)
    clearTimeout(timer)
  })
}

/** The address that providers call when a slow payment is done. The spec names no method for it (spec 4.3), so all are accepted. */
const webhookRoute = (shop: Shop) => async (req: Request, res: Response) => {
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
    request: parsed(req.body ?? ''),
    status,
    ms: Math.round(performance.now() - since),
    headers: { request: textHeaders(req), answer: headers },
    meaning: meaningOf(status),
  })
  res.status(status).set(headers).end()
}

const textHeaders = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function meaningOf(status: number): string {
  if (status === 200) return 'The shop reads the status of the payment again.'
  return status === 404 ? 'There is no such order.' : 'The shop refuses it, as the switch "webhook" says.'
}

function parsed(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text)
    cleanBody(message)
    return message
  } catch {
    return text || undefined
  }
}
