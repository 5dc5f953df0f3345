import type { Request, Response, Router } from 'express'
import { Problem } from '../../contract/index.ts'
import type { PageStanding } from '../../payments/page-standing.ts'
import { openState } from '../../payments/page-state.ts'
import { hashPageToken } from '../../payments/page-tokens.ts'
import type { Attempt } from '../../payments/payment.ts'
import { isPageToken } from '../../shops/tokens.ts'
import type { FormEnd } from '../../use-cases/memory.ts'
import { askForPage } from '../../use-cases/payments/ask-for-page.ts'
import { cancelPage, standingOf } from '../../use-cases/payments/cancel-page.ts'
import { canChooseAgain, lookAgain } from '../../use-cases/payments/look-again.ts'
import { readReturn } from '../../use-cases/payments/read-return.ts'
import { canBeAsked } from '../../use-cases/payments/read-status.ts'
import { submitPage } from '../../use-cases/payments/submit-page.ts'
import type { Workings } from '../../use-cases/workings.ts'
import { noteAbout } from '../access-log.ts'
import { loadExpress } from '../packages.ts'
import { readBytes, readForm } from '../read-body.ts'
import type { StrangersLane } from '../strangers-lane.ts'
import { AdapterPages, formNumber } from './adapter-pages.ts'
import { Brands } from './brands.ts'
import type { Page } from './layout.ts'
import { ForeignForm, pageErrors } from './page-errors.ts'
import { sendFile, sendPage } from './send.ts'
import {
  handlingPage,
  leftPage,
  onwardPage,
  replacedPage,
  statusPage,
  unfinishedPage,
  unsurePage,
} from './state-pages.ts'
import { choosePageLanguage } from './texts.ts'
import type { Visit } from './visit.ts'

const mostReturned = 64 * 1024

interface PageRoutes {
  router: Router
  holds(path: string): boolean
}

/**
 * The hosted payment pages under `/p/{page token}`. Each form is answered with a redirect to a page of ours, so that Back, a reload and a
 * second tab show where the customer is. From there it leads on to the shop or a bank with a refresh and a link: browsers apply
 * `form-action` to every redirect after a form, so a redirect out of the page could be blocked after the customer has paid.
 */
export function pageRoutes(workings: Workings, lane: StrangersLane): PageRoutes {
  const { world, store, contents } = workings
  const router = loadExpress().Router()
  const brands = new Brands(workings)
  const pages = new AdapterPages(workings)

  // Programs that preview a link send HEAD, which reaches no adapter.
  router.use((req, _res, next) => next(req.method === 'HEAD' ? new Problem('METHOD_NOT_ALLOWED') : undefined))

  router.get('/-/assets/:adapter/:file', (req, res, next) =>
    sendFile(res, pages.file(req.params.adapter, req.params.file), next),
  )
  router.get('/-/images/:file', async (req, res, next) =>
    sendFile(res, await brands.file(req.params.file), next),
  )

  async function visit(req: Request, res: Response): Promise<Visit> {
    const token = String(req.params.token)
    const pageHash = hashPageToken(token)
    const found = isPageToken(token)
      ? await lane.find(req, pageHash, () => store.attemptByPage(pageHash))
      : undefined
    if (!found) throw new Problem('NOT_FOUND')
    const { attempt, payment } = found
    noteAbout(res, { shop: attempt.shopId, order: attempt.orderId })
    const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
    const { host } = new URL(payment.redirectUrl)
    const { brand, shop } = await brands.of(attempt.shopId, adapter, host)
    const visited: Visit = {
      ...{ attempt, payment, adapter, brand },
      shop: shop ?? host,
      address: `${workings.publicUrl}/p/${token}`,
      language: choosePageLanguage(attempt.language, req.get('accept-language')),
    }
    // An error of this request is shown with the way on.
    res.locals.visit = visited
    return visited
  }

  /** A visit by a form of our own pages. */
  async function posted(req: Request, res: Response): Promise<Visit> {
    // Before the body is read, so that a stranger who sends it slowly holds no place in the lane.
    const visited = await visit(req, res)
    if (fromOwnPage(req, workings.publicUrl)) return visited
    world.observer.refused('PAGE_FORM_FOREIGN', { shop: visited.attempt.shopId })
    throw new ForeignForm()
  }

  /** Nothing that a bank's page posts keeps its customer here, also where a body parser of the app around has taken it. */
  async function readReturned(req: Request, res: Response, { shopId: shop }: Attempt): Promise<Buffer> {
    const isRead = req.readableEnded || (req as { body?: unknown }).body !== undefined
    const body = isRead
      ? new Problem('BODY_ALREADY_READ')
      : await readBytes(req, mostReturned).catch((problem: Problem) => problem)
    if (!(body instanceof Problem)) return body
    // The caller may go on sending.
    res.set('Connection', 'close')
    world.log.error({ shop, code: body.code }, 'what a bank sent along with a customer cannot be read')
    return Buffer.alloc(0)
  }

  const standing = ({ adapter, payment, attempt }: Visit): PageStanding =>
    adapter?.page ? standingOf(workings, payment, attempt) : { shows: 'status' }

  /** A visit of a page that waits for the payment service asks it first: the customer may have confirmed in the app of a bank. */
  async function visitAnswered(req: Request, res: Response): Promise<Visit> {
    const visited = await visit(req, res)
    const { shows } = standing(visited)
    const waits = shows === 'onward' || (shows === 'status' && visited.payment.status === 'pending')
    if (!waits || !visited.attempt.started || !canBeAsked(workings, visited.attempt)) return visited
    await askForPage(workings, visited.attempt)
    return visit(req, res)
  }

  router.get('/:token', async (req, res) => {
    const visited = await visitAnswered(req, res)
    const at = standing(visited)
    if (at.shows === 'form')
      return sendPage(res, 200, await pages.page(visited, at.kept), pages.policyOf(visited.adapter!))
    sendPage(res, 200, stateOf(visited, at, { again: canChooseAgain(workings, visited.attempt) }))
  })

  router.post('/:token', async (req, res) => {
    const visited = await posted(req, res)
    const { attempt, adapter, address } = visited
    const { [formNumber]: number, ...fields } = textFields(await readForm(req))
    const at = standing(visited)
    const isOld = number !== undefined && number !== String(openState(contents, attempt).forms)
    // Beside a form that is handled this one leads where that one does.
    const isTaken = at.shows === 'handling' || (at.shows === 'form' && !isOld)
    const end = isTaken
      ? await submitPage(workings, adapter!, attempt, fields, pages.viewOf(visited))
      : endBeside(at, world.now())
    res.redirect(303, `${address}${{ page: '', go: '/go', done: '/done' }[end]}`)
  })

  // Where a form has led: on to the bank, back to the shop, or to the page.
  router.get('/:token/go', async (req, res) => {
    const visited = await visit(req, res)
    const at = standing(visited)
    if (at.shows === 'onward') return sendPage(res, 200, onwardPage(visited, at.url))
    res.redirect(303, at.shows === 'status' ? `${visited.address}/done` : visited.address)
  })

  for (const way of ['again', 'look'])
    router.post(`/:token/${way}`, async (req, res) => {
      const visited = await posted(req, res)
      const at = standing(visited)
      await lookAgain(workings, at.shows === 'unsure' ? at.of : visited.attempt)
      res.redirect(303, visited.address)
    })

  router.post('/:token/cancel', async (req, res) => {
    const { attempt, address } = await posted(req, res)
    await cancelPage(workings, attempt)
    res.redirect(303, `${address}/done`)
  })

  // The last page before the shop. While the outcome of a form is not known, there is none.
  router.get('/:token/done', async (req, res) => {
    const visited = await visit(req, res)
    const { shows } = standing(visited)
    if (shows === 'handling' || shows === 'unsure') return res.redirect(303, visited.address)
    if (shows === 'form' || shows === 'onward') return sendPage(res, 200, leftPage(visited))
    sendPage(res, 200, shows === 'replaced' ? replacedPage(visited) : statusPage(visited, { goOn: true }))
  })

  // The way back from a payment service. Behind a GET no form was posted, so the shop can follow at once; a bank's page may post, and its own
  // `form-action` counts for all that follows.
  router.get('/:token/return{/:form}', async (req, res) => {
    const { attempt, payment, address } = await visit(req, res)
    const sent = { method: 'GET', query: queryOf(req), body: Buffer.alloc(0) } as const
    const to = await readReturn(workings, attempt, sent, formOf(req))
    res.redirect(303, to === 'page' ? address : payment.redirectUrl)
  })
  router.post('/:token/return{/:form}', async (req, res) => {
    const { attempt, address } = await visit(req, res)
    const body = await readReturned(req, res, attempt)
    const sent = { method: 'POST', query: queryOf(req), body } as const
    const to = await readReturn(workings, attempt, sent, formOf(req))
    res.redirect(303, to === 'page' ? address : `${address}/done`)
  })

  // Only a person's reload or a preview asks for the address of a form.
  router.get(['/:token/cancel', '/:token/again', '/:token/look'], async (req, res) =>
    res.redirect(303, (await visit(req, res)).address),
  )
  router.all('/:token/*rest', async (req, res) => {
    await visit(req, res)
    throw new Problem('NOT_FOUND')
  })

  router.use(pageErrors(workings, brands))
  return { router, holds: (path) => holdsFile(path, pages, workings.images) }
}

/** A second click right behind the first follows it to the bank. */
const secondClickWithin = 10_000

/** Where a form leads that is not taken. */
function endBeside(at: PageStanding, now: number): FormEnd {
  if (at.shows === 'onward') return now - at.at < secondClickWithin ? 'go' : 'page'
  return at.shows === 'form' || at.shows === 'unsure' ? 'page' : 'done'
}

/** The page of a visit that takes no form. */
function stateOf(
  visited: Visit,
  at: Exclude<PageStanding, { shows: 'form' }>,
  { again }: { again: boolean },
): Page {
  switch (at.shows) {
    case 'status':
      return statusPage(visited, { goOn: false })
    case 'replaced':
      return replacedPage(visited)
    case 'handling':
      return handlingPage(visited)
    case 'unsure':
      return unsurePage(visited, at.of)
    case 'onward':
      return unfinishedPage(visited, at.url, { again })
  }
}

/** Whether a path names a file that this process holds: it is answered without a look at the store. */
function holdsFile(path: string, pages: AdapterPages, images: Workings['images']): boolean {
  const [, , own, kind, first = '', second = ''] = path.split('/')
  if (own !== '-') return false
  return kind === 'assets'
    ? pages.file(first, second) !== undefined
    : kind === 'images' && images.holds(first)
}

/** The number of the form in a return address. */
function formOf({ params: { form } }: Request): number | undefined {
  if (form === undefined) return undefined
  if (/^\d{1,6}$/.test(String(form))) return Number(form)
  throw new Problem('NOT_FOUND')
}

const queryOf = ({ originalUrl }: Request): string => {
  const at = originalUrl.indexOf('?')
  return at < 0 ? '' : originalUrl.slice(at + 1)
}

/** A browser names the site that posts a form. A request without these headers is not from a browser. */
function fromOwnPage(req: Request, publicUrl: string): boolean {
  const site = req.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return false
  const origin = req.get('origin')
  // A browser that hides where it comes from says so in the other header.
  if (site !== undefined && origin === 'null') return true
  return origin === undefined || origin === new URL(publicUrl).origin
}

/** Of a field that is sent twice the last value counts. */
const textFields = (body: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body)
      .map(([name, value]) => [name, [value].flat().at(-1)] as const)
      .filter(([, value]) => typeof value === 'string'),
  )
