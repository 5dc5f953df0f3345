import type { IncomingMessage } from 'node:http'
import type { Router } from 'express'
import { Problem } from '../../contract/index.ts'
import type { Parts } from '../../parts.ts'
import type { Starting } from '../../payments/call-start.ts'
import { canChooseAgain, cancelPage, lookAgain } from '../../payments/pages/leave-page.ts'
import { openState, type PageStanding } from '../../payments/pages/page-state.ts'
import { submitPage } from '../../payments/pages/submit-page.ts'
import type { FormEnd } from '../../payments/payment-memory.ts'
import { loadExpress } from '../access-log.ts'
import type { Answer } from '../answer.ts'
import type { Gate } from '../places.ts'
import { readForm } from '../read-body.ts'
import { AdapterPages, formNumber } from './adapter-pages.ts'
import { brandsOf } from './brands.ts'
import { type Page, sendFile, sendPage } from './layout.ts'
import { pageErrors, tooOftenPages } from './page-errors.ts'
import { isPart, leftPage, onwardPage, standingPage, statusPage, type Visit } from './state-pages.ts'
import { languagesOf } from './texts.ts'
import { addReturns, type Visits, visitsOf } from './visits.ts'

export interface PageRoutes {
  router: Router
  /** Whether a path names a file that this process holds. */
  holds(path: string): boolean
  /** The answer to a visit that comes too often. */
  tooOften(req: IncomingMessage): Promise<Answer>
}

/**
 * The hosted payment pages under `/p/{page token}`. Each form is answered with a redirect to a page of ours, so that Back, a reload and a
 * second tab show where the customer is. From there it leads on to the shop or a bank with a refresh and a link: browsers apply
 * `form-action` to every redirect after a form, so a redirect out of the page could be blocked after the customer has paid.
 */
export function pageRoutes(
  workings: Starting & Parts<'brand' | 'texts' | 'images'>,
  gate: Gate,
  headers: readonly string[],
): PageRoutes {
  const router = loadExpress().Router()
  const brands = brandsOf(workings)
  const pages = new AdapterPages(workings)
  const languages = languagesOf(workings.texts)
  const visits = visitsOf(workings, gate, brands, languages)

  // Programs that preview a link send HEAD, which reaches no adapter.
  router.use((req, _res, next) => next(req.method === 'HEAD' ? new Problem('METHOD_NOT_ALLOWED') : undefined))

  router.get('/-/assets/:adapter/:file', ({ params }, res, next) =>
    sendFile(res, pages.file(params.adapter, params.file), next),
  )
  router.get('/-/images/:file', async ({ params }, res, next) =>
    sendFile(res, await workings.images.file(params.file), next),
  )

  router.get('/:token', async (req, res) => {
    const visited = await visits.answered(req, res)
    const at = visits.standing(visited)
    const { adapter, payment, address } = visited
    const follow = (page: Page) => following(visited, page, workings.world.now())
    const isOfAdapter = at.shows === 'form' || (at.shows === 'status' && adapter?.page && isPart(visited))
    if (isOfAdapter) {
      const page = at.shows === 'form' ? await pages.page(visited, at.kept) : await pages.part(visited)
      return sendPage(res, 200, follow(page), pages.policyOf(adapter!))
    }
    if (at.shows === 'status' && adapter?.page?.follows) {
      if (payment.status !== 'pending') return res.redirect(303, `${address}/done`)
      return sendPage(res, 200, follow(statusPage(visited, { goOn: false })))
    }
    sendPage(res, 200, standingPage(visited, at, { again: canChooseAgain(workings, visited.attempt) }))
  })

  // Where a form has led: on to the bank, back to the shop, or to the page.
  router.get('/:token/go', async (req, res) => {
    const visited = await visits.of(req, res)
    const at = visits.standing(visited)
    if (at.shows === 'onward') return sendPage(res, 200, onwardPage(visited, at.url))
    res.redirect(303, at.shows === 'status' ? `${visited.address}/done` : visited.address)
  })

  // The last page before the shop. While the outcome of a form is not known, there is none.
  router.get('/:token/done', async (req, res) => {
    const visited = await visits.of(req, res)
    const at = visits.standing(visited)
    if (at.shows === 'handling' || at.shows === 'unsure') return res.redirect(303, visited.address)
    const isOpen = at.shows === 'form' || at.shows === 'onward'
    sendPage(res, 200, isOpen ? leftPage(visited) : standingPage(visited, at, { goOn: true }))
  })

  addForms(router, workings, visits, pages)
  addReturns(router, workings, visits)

  // Only a person's reload or a preview asks for the address of a form.
  router.get(['/:token/cancel', '/:token/again', '/:token/look'], async (req, res) =>
    res.redirect(303, (await visits.of(req, res)).address),
  )
  router.all('/:token/*rest', async (req, res) => {
    await visits.of(req, res)
    throw new Problem('NOT_FOUND')
  })

  router.use(pageErrors(workings, brands, languages))
  return {
    router,
    // It is answered without a look at the store.
    holds(path) {
      const [, , own, kind, first = '', second = ''] = path.split('/')
      if (own !== '-') return false
      if (kind === 'assets') return pages.file(first, second) !== undefined
      return kind === 'images' && workings.images.holds(first)
    },
    tooOften: tooOftenPages(brands, languages, headers),
  }
}

/** Adds the forms to the router of their pages: one of their own would answer OPTIONS for its methods alone. */
function addForms(router: Router, workings: Starting, visits: Visits, pages: AdapterPages): void {
  router.post('/:token', async (req, res) => {
    const visited = await visits.posted(req, res)
    const { attempt, adapter, address } = visited
    const { [formNumber]: number, ...fields } = textFields(await readForm(req))
    const at = visits.standing(visited)
    const isOld = number !== undefined && number !== String(openState(workings.contents, attempt).count.forms)
    // Beside a form that is handled this one leads where that one does.
    const isTaken = at.shows === 'handling' || (at.shows === 'form' && adapter?.page?.submit && !isOld)
    const end = isTaken
      ? await submitPage(workings, adapter!, attempt, fields, pages.viewOf(visited))
      : endBeside(at, workings.world.now())
    res.redirect(303, `${address}${{ page: '', go: '/go', done: '/done' }[end]}`)
  })

  for (const way of ['again', 'look'])
    router.post(`/:token/${way}`, async (req, res) => {
      const visited = await visits.posted(req, res)
      const at = visits.standing(visited)
      await lookAgain(workings, at.shows === 'unsure' ? at.of : visited.attempt)
      res.redirect(303, visited.address)
    })

  router.post('/:token/cancel', async (req, res) => {
    const { attempt, address } = await visits.posted(req, res)
    await cancelPage(workings, attempt)
    res.redirect(303, `${address}/done`)
  })
}

/** A page that follows its payment looks again by itself: after 3 s at first, and after 30 s once it is open for ten minutes. */
function following({ adapter, attempt, address }: Visit, page: Page, now: number): Page {
  if (!adapter?.page?.follows) return page
  const wait = Math.round(Math.min(30, Math.max(3, (now - attempt.openedAt) / 20_000)))
  return { ...page, goOn: { url: address, wait } }
}

/** A second click right behind the first follows it to the bank. */
const secondClickWithin = 10_000

/** Where a form leads that is not taken. */
function endBeside(at: PageStanding, now: number): FormEnd {
  if (at.shows === 'onward') return now - at.at < secondClickWithin ? 'go' : 'page'
  return at.shows === 'form' || at.shows === 'unsure' ? 'page' : 'done'
}

/** Of a field that is sent twice the last value counts. */
const textFields = (body: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body)
      .map(([name, value]) => [name, [value].flat().at(-1)] as const)
      .filter(([, value]) => typeof value === 'string'),
  )
