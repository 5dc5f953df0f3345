import type { Request, Response } from 'express'
import { Problem } from '../../contract/index.ts'
import type { PageStanding } from '../../payments/page-state.ts'
import { hashPageToken } from '../../payments/page-tokens.ts'
import { isPageToken } from '../../shops/seal.ts'
import { standingOf } from '../../use-cases/payments/cancel-page.ts'
import { askAtMost } from '../../use-cases/payments/read-status.ts'
import type { Workings } from '../../use-cases/workings.ts'
import { noteAbout } from '../access-log.ts'
import type { StrangersLane } from '../limits.ts'
import type { Brands } from './brands.ts'
import { ForeignForm } from './page-errors.ts'
import { choosePageLanguage, type PageLanguages } from './texts.ts'
import type { Visit } from './visit.ts'

/** Finds the attempt, brand and language of a request by its page token. Throws `NOT_FOUND` for a token that is not known. */
export class Visits {
  readonly #workings: Workings
  readonly #lane: StrangersLane
  readonly #brands: Brands
  readonly #languages: PageLanguages

  constructor(workings: Workings, lane: StrangersLane, brands: Brands, languages: PageLanguages) {
    this.#workings = workings
    this.#lane = lane
    this.#brands = brands
    this.#languages = languages
  }

  async of(req: Request, res: Response): Promise<Visit> {
    const { store, payments, publicUrl } = this.#workings
    const token = String(req.params.token)
    const pageHash = hashPageToken(token)
    const found = isPageToken(token)
      ? await this.#lane.find(req, pageHash, () => store.attemptByPage(pageHash))
      : undefined
    if (!found) throw new Problem('NOT_FOUND')
    const { attempt, payment } = found
    noteAbout(res, { shop: attempt.shopId, order: attempt.orderId })
    const adapter = payments.find(({ name }) => name === attempt.adapter)
    const { host } = new URL(payment.redirectUrl)
    const { brand, shop } = await this.#brands.of(attempt.shopId, adapter, host)
    const visited: Visit = {
      ...{ attempt, payment, adapter, brand },
      shop: shop ?? host,
      address: `${publicUrl}/p/${token}`,
      language: choosePageLanguage(this.#languages, attempt.language, req.get('accept-language')),
    }
    // An error of this request is shown with the way on.
    res.locals.visit = visited
    return visited
  }

  /** A visit by a form. Throws `ForeignForm` for one of another site. */
  async posted(req: Request, res: Response): Promise<Visit> {
    // Before the body is read, so that a stranger who sends it slowly holds no place in the lane.
    const visited = await this.of(req, res)
    const { world, publicUrl } = this.#workings
    if (fromOwnPage(req, publicUrl)) return visited
    world.observer.refused('PAGE_FORM_FOREIGN', { shop: visited.attempt.shopId })
    throw new ForeignForm()
  }

  /** A visit of a page that waits for the payment service asks it first: the customer may have confirmed in the app of a bank. */
  async answered(req: Request, res: Response): Promise<Visit> {
    const visited = await this.of(req, res)
    const { shows } = this.standing(visited)
    const waits =
      shows === 'onward' ||
      (shows === 'status' && visited.payment.status === 'pending') ||
      (shows === 'form' && visited.adapter?.page?.follows)
    if (!waits || !visited.attempt.started) return visited
    const asked = askAtMost(this.#workings, visited.attempt)
    if (!asked) return visited
    await asked
    return this.of(req, res)
  }

  standing({ adapter, payment, attempt }: Visit): PageStanding {
    return adapter?.page ? standingOf(this.#workings, payment, attempt) : { shows: 'status' }
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
