import type { Request, Response, Router } from 'express'
import { Problem } from '../../contract/index.ts'
import { openState } from '../../payments/page-state.ts'
import { hashPageToken } from '../../payments/page-tokens.ts'
import { isPageToken } from '../../shops/tokens.ts'
import { cancelPage } from '../../use-cases/payments/cancel-page.ts'
import { lookAgain, startAgain } from '../../use-cases/payments/look-again.ts'
import { readReturn } from '../../use-cases/payments/read-return.ts'
import { isPageOver, submitPage } from '../../use-cases/payments/submit-page.ts'
import type { Workings } from '../../use-cases/workings.ts'
import { noteAbout } from '../access-log.ts'
import { loadExpress } from '../packages.ts'
import { readBytes, readForm } from '../read-body.ts'
import type { StrangersLane } from '../strangers-lane.ts'
import { AdapterPages } from './adapter-pages.ts'
import { Brands } from './brands.ts'
import { ForeignForm, pageErrors } from './page-errors.ts'
import { sendFile, sendPage } from './send.ts'
import { onwardPage, statusPage, unfinishedPage, unsurePage } from './state-pages.ts'
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

  router.get('/:token', async (req, res) => {
    const visited = await visit(req, res)
    const { attempt, payment, adapter } = visited
    if (!adapter?.page || isPageOver(payment, attempt))
      return sendPage(res, 200, statusPage(visited, { goOn: false }))
    const state = openState(contents, attempt)
    if (state?.is === 'unsure') return sendPage(res, 200, unsurePage(visited))
    if (state?.is === 'onward') return sendPage(res, 200, unfinishedPage(visited, state))
    const kept = state?.is === 'again' ? state.content : undefined
    sendPage(res, 200, await pages.page(visited, kept), pages.policyOf(adapter))
  })

  router.post('/:token', async (req, res) => {
    const visited = await posted(req, res)
    const { attempt, payment, adapter, address } = visited
    const fields = textFields(await readForm(req))
    if (adapter?.page && !isPageOver(payment, attempt))
      await submitPage(workings, adapter, attempt, fields, pages.viewOf(visited))
    const current = await store.attempt(attempt.shopId, attempt.id)
    const state = current && openState(contents, current)
    res.redirect(303, `${address}${state ? { again: '', unsure: '', onward: '/go' }[state.is] : '/done'}`)
  })

  router.get('/:token/go', async (req, res) => {
    const visited = await visit(req, res)
    const state = openState(contents, visited.attempt)
    if (state?.is !== 'onward' || isPageOver(visited.payment, visited.attempt))
      return res.redirect(303, visited.address)
    sendPage(res, 200, onwardPage(visited, state))
  })

  router.post('/:token/again', async (req, res) => {
    const { attempt, address } = await posted(req, res)
    await startAgain(workings, attempt)
    res.redirect(303, address)
  })

  router.post('/:token/look', async (req, res) => {
    const { attempt, address } = await posted(req, res)
    await lookAgain(workings, attempt)
    res.redirect(303, address)
  })

  router.post('/:token/cancel', async (req, res) => {
    const { attempt, address } = await posted(req, res)
    await cancelPage(workings, attempt)
    const current = await store.attempt(attempt.shopId, attempt.id)
    const unsure = current && openState(contents, current)?.is === 'unsure'
    res.redirect(303, unsure ? address : `${address}/done`)
  })

  router.get('/:token/done', async (req, res) =>
    sendPage(res, 200, statusPage(await visit(req, res), { goOn: true })),
  )

  // The way back from a payment service. Behind a GET no form was posted, so the shop can follow at once; a bank's page may post, and its own
  // `form-action` counts for all that follows.
  router.get('/:token/return', async (req, res) => {
    const { attempt, payment, address } = await visit(req, res)
    const sent = { method: 'GET', query: queryOf(req), body: Buffer.alloc(0) } as const
    const to = await readReturn(workings, attempt, sent)
    res.redirect(303, to === 'page' ? address : payment.redirectUrl)
  })
  router.post('/:token/return', async (req, res) => {
    const { attempt, address } = await visit(req, res)
    const body = await readBytes(req, mostReturned)
    const to = await readReturn(workings, attempt, { method: 'POST', query: queryOf(req), body })
    res.redirect(303, to === 'page' ? address : `${address}/done`)
  })

  router.use(pageErrors(workings, brands))
  return { router, holds: (path) => holdsFile(path, pages, workings.images) }
}

/** Whether a path names a file that this process holds: it is answered without a look at the store. */
function holdsFile(path: string, pages: AdapterPages, images: Workings['images']): boolean {
  const [, , own, kind, first = '', second = ''] = path.split('/')
  if (own !== '-') return false
  return kind === 'assets'
    ? pages.file(first, second) !== undefined
    : kind === 'images' && images.holds(first)
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
  return origin === undefined || origin === new URL(publicUrl).origin
}

/** Of a field that is sent twice the last value counts. */
const textFields = (body: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body)
      .map(([name, value]) => [name, [value].flat().at(-1)] as const)
      .filter(([, value]) => typeof value === 'string'),
  )
