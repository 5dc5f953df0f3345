import type { IncomingMessage } from 'node:http'
import type { Request, Response, Router } from 'express'
import { html } from 'hono/html'
import { hasCode, PurveyorError } from '../errors/errors.ts'
import { loadExpress } from '../http/access-log.ts'
import { sendFile } from '../http/pages/layout.ts'
import { head, note } from '../http/pages/parts/facts.ts'
import { live } from '../http/pages/parts/live.ts'
import { pagePolicy } from '../http/pages/policy.ts'
import { stylesheet } from '../http/pages/style/style.ts'
import { readForm } from '../http/read-body.ts'
import { foreignPart } from '../network/private-network.ts'
import { orAborted } from '../world.ts'
import { doAction } from './actions.ts'
import { type LiveStream, liveStream } from './live-stream.ts'
import { anomaliesPage } from './pages/anomalies.ts'
import { healthPage } from './pages/health.ts'
import { nowPage } from './pages/now.ts'
import { paymentPage, rawPayment } from './pages/payment.ts'
import { csvOf, paymentsPage } from './pages/payments.ts'
import { ratesPage, tryPage } from './pages/rates.ts'
import { shopPage, shopsPage } from './pages/shops.ts'
import { auditPage, changesPage } from './pages/trail.ts'
import { lanePage, webhooksPage } from './pages/webhooks.ts'
import { type Action, actions, expectRole, Refused } from './roles.ts'
import { foreignForm, Sessions } from './session.ts'
import { pathWithin, signInRoutes } from './sign-in.ts'
import { type ConsoleParts, countedAnew, layout, type Page, plainPage, type View, viewOf } from './view.ts'

/** How long a page may take, in milliseconds. */
const patience = 2_000

const policy = pagePolicy({
  style: 'self',
  allow: { connect: ["'self'"] },
  assets: { script: true, style: false },
})

/** A page, the address that it leads to, or `undefined` where there is none. */
type Rendered = Promise<Page | { to: string } | undefined>
type Render = (parts: ConsoleParts, view: View, params: Readonly<Record<string, string>>) => Rendered

/** Every page, by its address. All are open to readers; what only others may see, a page leaves away. */
export const pages: Readonly<Record<string, Render>> = {
  '/': nowPage,
  '/payments': paymentsPage,
  '/payments/:shop/:order': paymentPage,
  '/payments/:shop/:order/raw': rawPayment,
  '/anomalies': anomaliesPage,
  '/webhooks': webhooksPage,
  '/webhooks/:shop/:host': lanePage,
  '/rates': ratesPage,
  '/rates/try': tryPage,
  '/shops': shopsPage,
  '/shops/:shop': shopPage,
  '/changes': changesPage,
  '/audit': auditPage,
  '/health': healthPage,
}

export interface ConsoleRoutes {
  router: Router
  /** Whether a request is of somebody who has signed in. Strangers wait in line before anything is read for them. */
  knows(req: IncomingMessage): boolean
  /** Ends the open streams, and closes the connection to the store where it is the console's own. */
  end(): Promise<void>
}

/** The pages of the console, and what can be done there. It opens its connection to the store at the first request. */
export function consoleRoutes(parts: ConsoleParts): ConsoleRoutes {
  const { workings, store, options } = parts
  const { world, development, brand } = workings
  const { name = brand.name ?? 'Console' } = options
  const sessions = new Sessions({ ...workings, store })
  const stream = liveStream(store, world)
  const waiting = countedAnew(store, world.now)
  const router = loadExpress().Router({ caseSensitive: true })
  let opened: Promise<void> | undefined

  const send: Send = async (res, view, status, page) => {
    const text = String(layout(view, page, { name, waiting: await waiting() }))
    res.status(status).type('html').send(text)
  }

  router.use((req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'POST') return next()
    res.set(policy)
    next()
  })
  if (development)
    router.use((req, res, next) => {
      if (foreignPart(req) === undefined) return next()
      const says = html`<p>In development nobody signs in, so the console answers this machine alone. Behind a proxy it runs in production: set PURVEYOR_PUBLIC_URL, or NODE_ENV=production.</p>`
      plainPage(res, 403, 'This machine alone', says)
    })
  for (const file of [stylesheet, live])
    router.get(`/assets/${file.name}`, (_req, res, next) => sendFile(res, file.file, next))
  router.use(async (_req, _res, next) => {
    opened ??= store.open()
    await opened.catch((error: unknown) => {
      opened = undefined
      throw error
    })
    next()
  })
  if (!development) router.use(signInRoutes(parts, sessions))

  router.use(async (req, res, next) => {
    const who = development ? undefined : await sessions.of(req)
    res.locals.view = viewOf(req, who, world.now())
    if (who || development) return next()
    if (req.method === 'GET' && req.path !== '/live')
      return res.redirect(303, `${req.baseUrl}/sign-in?to=${encodeURIComponent(pathWithin(req.url))}`)
    plainPage(res, 401, 'You were signed out', await keptForm(req))
  })

  addPages(router, parts, stream, send)
  addForms(router, parts, sessions, send)
  addEnds(router, parts, send)
  return {
    router,
    knows: (req) => development || sessions.open('session', req) !== undefined,
    async end() {
      stream.end()
      if (store === workings.store) return
      const opening = opened
      opened = undefined
      await opening?.catch(() => {})
      await store.close().catch(() => {})
    },
  }
}

/** Sends a page in its frame. */
type Send = (res: Response, view: View, status: number, page: Page) => Promise<void>

function addPages(router: Router, parts: ConsoleParts, stream: LiveStream, send: Send): void {
  router.get('/live', (req, res) => stream.add(req, res))
  router.get('/zone', (req, res) => {
    const { view } = res.locals as { view: View }
    const { zone = '', to } = view.asked('zone', 'to')
    res.append('Set-Cookie', `zone=${encodeURIComponent(zone)}; Max-Age=31536000; Path=/; SameSite=Lax`)
    res.redirect(303, `${req.baseUrl}${pathWithin(to)}`)
  })
  router.get('/payments.csv', async (_req, res) => {
    const text = await within(csvOf(parts, res.locals.view as View))
    res.attachment('payments.csv').type('csv').send(text)
  })
  for (const [path, render] of Object.entries(pages))
    router.get(path, async (req, res, next) => {
      const { view } = res.locals as { view: View }
      const page = await within(render(parts, view, req.params as Record<string, string>))
      if (page === undefined) return next()
      if ('to' in page) return res.redirect(303, page.to)
      await send(res, view, 200, page)
    })
}

function addForms(router: Router, parts: ConsoleParts, sessions: Sessions, send: Send): void {
  const { store, world } = parts.workings
  router.post('/sign-out', async (req, res) => {
    const { view } = res.locals as { view: View }
    const refused = foreignForm(req, (await readForm(req)).token?.toString())
    if (refused !== undefined || !view.who) throw new Refused(403, refused ?? 'Nobody is signed in.')
    sessions.drop('session', res)
    const by = view.who.name
    await store.signOutOfConsole(by, world.now(), by)
    plainPage(res, 200, 'Signed out', html`<p><a href="${req.baseUrl}/">Sign in again</a></p>`)
  })
  router.post('/*path', async (req, res) => {
    const { view } = res.locals as { view: View }
    const fields = Object.entries(await readForm(req))
    const form = Object.fromEntries(fields.map(([key, value]) => [key, String(value ?? '')]))
    const refused = foreignForm(req, form.token)
    if (refused !== undefined) throw new Refused(403, refused)
    const action = form.do as Action
    if (!Object.hasOwn(actions, action)) throw new Refused(404, 'There is no such action.')
    expectRole(view.who, action)
    const done = await doAction(parts, view, action, form)
    if ('to' in done) return res.redirect(303, done.to)
    await send(res, view, done.faulty ? 422 : 200, done)
  })
}

/** The answers to addresses without a page, and to failures. */
function addEnds(router: Router, { workings: { world } }: ConsoleParts, send: Send): void {
  router.use((req, res) => {
    const { view } = res.locals as { view: View }
    const content = head(
      'No such page',
      html`There is no page ${req.path}. <a href="${view.at('/')}">To what happens now</a>`,
    )
    return send(res, view, 404, { title: 'No such page', content })
  })
  router.use(async (error: unknown, req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    const { status, sentence } = answerTo(error)
    if (status === 500) world.log.error({ err: error }, 'console: a page failed')
    const { view } = res.locals as { view?: View }
    // A form is sent to a path below that of its page.
    const back = req.method === 'POST' ? req.originalUrl.replace(/\/[^/]*$/, '') : req.originalUrl
    const more =
      status < 500 || req.method === 'GET'
        ? 'Nothing was changed.'
        : 'Look whether it was done before you repeat it.'
    const content = html`${head('It did not work')}${note('bad', sentence, more, { alert: true })}<p><a href="${back}">Try again</a></p>`
    if (!view) return plainPage(res, status, 'The console does not answer', html`<p>${sentence}</p>`)
    await send(res, view, status, { title: 'It did not work', content, faulty: true }).catch(next)
  })
}

function answerTo(error: unknown): { status: number; sentence: string } {
  if (error instanceof Refused) return { status: error.status, sentence: error.message }
  if (hasCode(error, 'STORE_UNAVAILABLE')) return { status: 503, sentence: error.message }
  if (error instanceof PurveyorError) return { status: 422, sentence: error.message }
  const { status } = error as { status?: number }
  if (status !== undefined && status < 500) return { status, sentence: 'This request cannot be read.' }
  return { status: 500, sentence: 'The console failed. The log of the provider says why.' }
}

async function within<T>(work: Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(patience)
  return orAborted(work, late).catch((error: unknown) => {
    if (!late.aborted) throw error
    throw new Refused(503, 'The store did not answer in 2 s.')
  })
}

/** The text that somebody had written when their session was over, to be copied. */
async function keptForm(req: Request) {
  const form = req.method === 'POST' ? await readForm(req).catch(() => ({})) : {}
  const { why, note: written = why } = form as { why?: string; note?: string }
  const kept = written
    ? html`<p>What you had written:</p><textarea rows="4" readonly aria-label="What you had written">${written}</textarea>`
    : ''
  return html`<p>A session lasts eight hours, and nothing was changed. <a href="${req.baseUrl}/sign-in">Sign in again</a></p>${kept}`
}
