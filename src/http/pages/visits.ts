import type { Request, Response, Router } from 'express'
import { Problem } from '../../contract/index.ts'
import type { Parts } from '../../parts.ts'
import { hashPageToken } from '../../payments/addresses.ts'
import type { Learning } from '../../payments/learn-payment.ts'
import type { Attempt } from '../../payments/ledger/payment.ts'
import { readReturn, standingOf } from '../../payments/pages/leave-page.ts'
import type { PageStanding } from '../../payments/pages/page-state.ts'
import { askAtMost } from '../../payments/read-status.ts'
import { isPageToken } from '../../shops/seal.ts'
import { noteAbout, queryOf } from '../access-log.ts'
import type { Gate } from '../places.ts'
import { readBytes } from '../read-body.ts'
import type { Brands } from './brands.ts'
import { ForeignForm } from './page-errors.ts'
import type { Visit } from './state-pages.ts'
import { choosePageLanguage, type PageLanguages } from './texts.ts'

const mostReturned = 64 * 1024

/**
 * Adds the way back from a payment service to the router of the pages. Behind a GET no form was posted, so the shop can follow at once; a
 * bank's page may post, and its own `form-action` counts for all that follows.
 */
export function addReturns(router: Router, workings: Learning, visits: Visits): void {
  /** Nothing that a bank's page posts keeps its customer here, also where a body parser of the app around has taken it. */
  async function readReturned(req: Request, res: Response, { shopId: shop }: Attempt): Promise<Buffer> {
    const isRead = req.readableEnded || (req as { body?: unknown }).body !== undefined
    const body = isRead
      ? new Problem('BODY_ALREADY_READ')
      : await readBytes(req, mostReturned).catch((problem: Problem) => problem)
    if (!(body instanceof Problem)) return body
    // The caller may go on sending.
    res.set('Connection', 'close')
    workings.world.log.error(
      { shop, code: body.code },
      'Purveyor cannot read the form that a bank posted with a returning customer',
    )
    return Buffer.alloc(0)
  }

  const path = '/:token/return{/:form}'
  router.get(path, async (req, res) => {
    const { attempt, payment, address } = await visits.of(req, res)
    const sent = { method: 'GET', query: queryOf(req.originalUrl), body: Buffer.alloc(0) } as const
    const to = await readReturn(workings, attempt, sent, formOf(req))
    res.redirect(303, to === 'page' ? address : payment.redirectUrl)
  })
  router.post(path, async (req, res) => {
    const { attempt, address } = await visits.of(req, res)
    const body = await readReturned(req, res, attempt)
    const sent = { method: 'POST', query: queryOf(req.originalUrl), body } as const
    const to = await readReturn(workings, attempt, sent, formOf(req))
    res.redirect(303, to === 'page' ? address : `${address}/done`)
  })
}

function formOf({ params: { form } }: Request): number | undefined {
  if (form === undefined) return undefined
  if (/^\d{1,6}$/.test(String(form))) return Number(form)
  throw new Problem('NOT_FOUND')
}

export type Visits = ReturnType<typeof visitsOf>

export function visitsOf(
  workings: Learning & Parts<'addresses'>,
  gate: Gate,
  brands: Brands,
  languages: PageLanguages,
) {
  const { store, payments, addresses, world } = workings

  /** Finds the attempt, brand and language of a request by its page token. Throws `NOT_FOUND` for a token that is not known. */
  async function of(req: Request, res: Response): Promise<Visit> {
    const token = String(req.params.token)
    const pageHash = hashPageToken(token)
    const found = isPageToken(token)
      ? await gate.find(req, pageHash, () => store.attemptByPage(pageHash))
      : undefined
    if (!found) throw new Problem('NOT_FOUND')
    const { attempt, payment } = found
    noteAbout(res, { shop: attempt.shopId, order: attempt.orderId })
    const adapter = payments.adapters.find(({ name }) => name === attempt.adapter)
    const { brand, shop } = await brands.of(attempt.shopId, adapter)
    const language = choosePageLanguage(languages, attempt.language, req.get('accept-language'))
    const visited: Visit = {
      ...{ attempt, payment, adapter, brand, language },
      shop: shop ?? String(language.find('shop')),
      address: `${addresses.publicUrl}/p/${token}`,
    }
    // An error of this request is shown with the way on.
    res.locals.visit = visited
    return visited
  }

  const standing = ({ adapter, payment, attempt }: Visit): PageStanding =>
    adapter?.page ? standingOf(workings, payment, attempt) : { shows: 'status' }

  return {
    of,
    standing,

    /** A visit by a form. Throws `ForeignForm` for one of another site. */
    async posted(req: Request, res: Response): Promise<Visit> {
      // Before the body is read, so that a stranger who sends it slowly holds no place in the gate.
      const visited = await of(req, res)
      if (fromOwnPage(req, addresses.publicUrl)) return visited
      world.observer.refused('PAGE_FORM_FOREIGN', { shop: visited.attempt.shopId })
      throw new ForeignForm()
    },

    /** A visit of a page that waits for the payment service asks it first: the customer may have confirmed in the app of a bank. */
    async answered(req: Request, res: Response): Promise<Visit> {
      const visited = await of(req, res)
      const { shows } = standing(visited)
      const waits =
        shows === 'onward' ||
        (shows === 'status' && visited.payment.status === 'pending') ||
        (shows === 'form' && visited.adapter?.page?.follows)
      const asked = waits && visited.attempt.started && askAtMost(workings, visited.attempt)
      if (!asked) return visited
      await asked
      return of(req, res)
    },
  }
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
