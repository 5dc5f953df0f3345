import type { Request, Response, Router } from 'express'
import { html } from 'hono/html'
import { Problem } from '../../contract/index.ts'
import { formatMoney } from '../../money/index.ts'
import { attemptView, type PageContent, type PageView } from '../../payments/adapter.ts'
import { hashPageToken } from '../../payments/page-tokens.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { isPageToken } from '../../shops/tokens.ts'
import { callAdapter } from '../../use-cases/call-adapter.ts'
import { Deadline, DeadlinePassed } from '../../use-cases/deadline.ts'
import { readStatus } from '../../use-cases/payments/read-status.ts'
import { isPageOver, submitPage } from '../../use-cases/payments/submit-page.ts'
import type { Workings } from '../../use-cases/workings.ts'
import { noteAbout } from '../access-log.ts'
import { asProblem, problemOf } from '../answer.ts'
import { loadExpress } from '../packages.ts'
import { readForm } from '../read-body.ts'
import type { StrangersLane } from '../strangers-lane.ts'
import { layout, type Page, pageSecurityPolicy } from './layout.ts'
import { choosePageLanguage, pageText, type TextKey } from './texts.ts'

interface Visit {
  attempt: Attempt
  payment: Payment
  language: string
}

/**
 * The hosted payment pages under `/p/{page token}`. A posted form is answered with a redirect to our own done page, which
 * leads on to the shop with a refresh and a link: browsers apply `form-action` to every redirect after a form, so a redirect
 * to the shop could be blocked after the customer has paid.
 */
export function pageRoutes(workings: Workings, lane: StrangersLane): Router {
  const { world, store } = workings
  const router = loadExpress().Router()

  // Programs that preview a link send HEAD, which reaches no adapter.
  router.use((req, _res, next) => next(req.method === 'HEAD' ? new Problem('METHOD_NOT_ALLOWED') : undefined))

  async function visit(req: Request, res: Response): Promise<Visit> {
    const token = String(req.params.token)
    const pageHash = hashPageToken(token)
    const found = isPageToken(token)
      ? await lane.find(req, pageHash, () => store.attemptByPage(pageHash))
      : undefined
    if (!found) throw new Problem('NOT_FOUND')
    noteAbout(res, { shop: found.attempt.shopId, order: found.attempt.orderId })
    return { ...found, language: choosePageLanguage(found.attempt.language, req.get('accept-language')) }
  }

  router.get('/:token', async (req, res) => {
    const visited = await visit(req, res)
    const adapter = adapterOf(workings, visited.attempt)
    if (!adapter?.page || isPageOver(visited.payment, visited.attempt))
      return send(res, 200, donePage(visited))
    const { page } = adapter
    const deadline = new Deadline(world, workings.deadlines.page)
    const how = { adapter, call: 'render', shop: visited.attempt.shopId, deadline }
    const rendered = async () => callAdapter(workings, how, () => page.render(viewOf(workings, visited)))
    send(res, 200, paymentPage(visited, await rendered().catch(tooLate(visited))))
  })

  router.post('/:token', async (req, res) => {
    // Before the body is read, so that a stranger who sends it slowly holds no place in the lane.
    const visited = await visit(req, res)
    const { attempt } = visited
    if (!fromOwnPage(req, workings.publicUrl)) {
      world.observer.refused('PAGE_FORM_FOREIGN', { shop: attempt.shopId })
      return send(res, 403, messagePage(visited.language, 'refused'))
    }
    const fields = textFields(await readForm(req))
    const adapter = adapterOf(workings, attempt)
    const again =
      adapter?.page && !isPageOver(visited.payment, attempt)
        ? await submitPage(workings, adapter, attempt, fields, viewOf(workings, visited)).catch(
            tooLate(visited),
          )
        : undefined
    if (again !== undefined) return send(res, 422, paymentPage(visited, again))
    res.redirect(303, `${workings.publicUrl}/p/${req.params.token}/done`)
  })

  router.get('/:token/done', async (req, res) => send(res, 200, donePage(await visit(req, res))))

  // The way back from a payment service: no form was posted to us, so the shop can follow at once.
  router.get('/:token/return', async (req, res) => {
    const { attempt, payment } = await visit(req, res)
    await readStatus(workings, attempt.shopId, attempt.orderId)
    res.redirect(303, payment.redirectUrl)
  })

  router.use((error: unknown, req: Request, res: Response, next: (error: unknown) => void) => {
    if (res.headersSent) return next(error)
    const problem = asProblem(problemOf(error))
    if (problem.status >= 500) {
      const { about, cause } = error instanceof PageTooLate ? error : { cause: error }
      world.log.error({ ...about, err: cause }, 'payment page failed')
    }
    noteAbout(res, { code: problem.code })
    // The caller may go on sending, so the connection ends with this answer.
    if (problem.status === 413) res.set('Connection', 'close')
    if (problem.retryAfter !== undefined) res.set('Retry-After', String(problem.retryAfter))
    const language = choosePageLanguage(undefined, req.get('accept-language'))
    send(res, problem.status, messagePage(language, messageOf(problem)))
  })

  return router
}

/** The adapter did not answer in time. Its action may still take effect. */
class PageTooLate extends Problem {
  readonly about: { adapter: string; shop: string; attempt: string }

  constructor({ attempt }: Visit, cause: DeadlinePassed) {
    super('PAGE_TIMEOUT', { cause })
    this.about = { adapter: attempt.adapter, shop: attempt.shopId, attempt: attempt.id }
  }
}

const tooLate =
  (visited: Visit) =>
  (error: unknown): never => {
    throw error instanceof DeadlinePassed ? new PageTooLate(visited, error) : error
  }

function messageOf({ code, status }: Problem): MessageKey {
  if (code === 'PAGE_TIMEOUT') return 'slow'
  if (status === 429 || status >= 500) return 'failed'
  return status === 404 ? 'notFound' : 'refused'
}

const adapterOf = (workings: Workings, attempt: Attempt) =>
  workings.payments.find(({ name }) => name === attempt.adapter)

const viewOf = (workings: Workings, { attempt, language }: Visit): PageView => ({
  attempt: attemptView(workings.contents, attempt),
  language,
  amount: formatMoney(attempt.amount, attempt.currency, language),
})

function paymentPage(visited: Visit, content: PageContent): Page {
  const { attempt, language } = visited
  return {
    language,
    title: titleOf(visited),
    content: html`<dl><dt>${pageText(language, 'amount')}</dt><dd>${formatMoney(attempt.amount, attempt.currency, language)}</dd></dl>
${content as never}`,
  }
}

const titleOf = ({ attempt, language }: Visit): string =>
  attempt.orderNumber === undefined
    ? pageText(language, 'titleWithoutNumber')
    : pageText(language, 'title', { order: attempt.orderNumber })

function donePage({ payment, language }: Visit): Page {
  return {
    language,
    title: pageText(language, payment.status),
    content: html`<p class="hint">${pageText(language, 'backHint')}</p>
<a class="button" href="${payment.redirectUrl}">${pageText(language, 'back')}</a>`,
    goOn: payment.redirectUrl,
  }
}

type MessageKey = TextKey & ('notFound' | 'refused' | 'failed' | 'slow')

const messagePage = (language: string, key: MessageKey): Page => ({
  language,
  title: pageText(language, key),
  content: html`<p>${pageText(language, `${key}Hint`)}</p>`,
})

function send(res: Response, status: number, page: Page): void {
  // Chromium sends `Origin: null` with a form under `no-referrer`; `same-origin` keeps the page's token from other hosts too.
  res.set({
    'Content-Security-Policy': pageSecurityPolicy,
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  })
  Promise.resolve(layout(page)).then(
    (text) => res.status(status).type('html').send(String(text)),
    (error: unknown) => res.destroy(error as Error),
  )
}

/** A browser names the site that posts a form. A request without these headers is not from a browser. */
function fromOwnPage(req: Request, publicUrl: string): boolean {
  const site = req.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return false
  const origin = req.get('origin')
  return origin === undefined || origin === new URL(publicUrl).origin
}

function textFields(body: object): Record<string, string> {
  const texts = Object.entries(body).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts) as Record<string, string>
}
