import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { html } from 'hono/html'
import { Problem } from '../../contract/index.ts'
import type { Parts } from '../../parts.ts'
import { noteAbout } from '../access-log.ts'
import { type Answer, asProblem, problemOf } from '../answer.ts'
import { PageTooLate } from './adapter-pages.ts'
import type { Brands, ShownBrand } from './brands.ts'
import { layout, type Page, sendPage } from './layout.ts'
import { pagePolicy } from './policy.ts'
import { backTo, unsurePage, type Visit } from './state-pages.ts'
import { choosePageLanguage, type MessageKey, type PageLanguages, pageText } from './texts.ts'

/** A form that was not posted by a page of ours. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm'
}

/** Answers what a page refuses, with a page. */
export const pageErrors =
  ({ world }: Parts<'world'>, brands: Brands, languages: PageLanguages) =>
  async (error: unknown, req: Request, res: Response, next: (error: unknown) => void): Promise<void> => {
    if (res.headersSent) return next(error)
    const { visit } = res.locals as { visit?: Visit }
    const language = visit?.language ?? choosePageLanguage(languages, undefined, req.get('accept-language'))
    const say = async (status: number, key: MessageKey) =>
      sendPage(res, status, messagePage(visit?.brand ?? (await brands.ofProvider()), language, key, visit))
    if (error instanceof ForeignForm) return say(403, 'refused')
    const problem = asProblem(problemOf(error))
    if (problem.status >= 500) {
      const { about, cause } = error instanceof PageTooLate ? error : { cause: error }
      world.log.error({ ...about, err: cause }, 'payment page failed')
    }
    noteAbout(res, { code: problem.code })
    // The caller may go on sending, so the connection ends with this answer.
    if (problem.status === 413) res.set('Connection', 'close')
    if (problem.retryAfter !== undefined) res.set('Retry-After', String(problem.retryAfter))
    // A form may have been handled, or a bank may have confirmed: this page does not know.
    if (visit && req.method === 'POST' && problem.status >= 500)
      return sendPage(res, problem.status, unsurePage(visit, visit.attempt))
    await say(problem.status, messageOf(problem))
  }

/** Answers a visit that comes too often, with a page that takes no look at the store. */
export function tooOftenPages(brands: Brands, languages: PageLanguages, documentHeaders: readonly string[]) {
  return async ({ headers }: IncomingMessage): Promise<Answer> => {
    const language = choosePageLanguage(languages, undefined, headers['accept-language'])
    const { status, retryAfter, code } = new Problem('TOO_MANY_REQUESTS', { retryAfter: 1 })
    const brand = await brands.ofProvider()
    const body = String(await layout(messagePage(brand, language, 'failed', undefined)))
    const { 'Cache-Control': _, ...policy } = pagePolicy({ style: brand.style.source })
    const own = Object.entries({ ...policy, 'Retry-After': String(retryAfter) }).flat()
    const isOwn = (name: string) => Object.hasOwn(policy, name)
    const common = documentHeaders.filter((_name, at) => !isOwn(documentHeaders[at - (at % 2)]!))
    const type = 'text/html; charset=utf-8' as const
    return { status, body, type, headers: [...common, ...own], code }
  }
}

function messageOf({ code, status }: Problem): MessageKey {
  if (code === 'PAGE_TIMEOUT') return 'slow'
  if (status === 429 || status >= 500) return 'failed'
  if (status === 404) return 'notFound'
  return status === 413 ? 'tooLarge' : 'unreadable'
}

/** Where the visit is known, it leads to the page again and to the shop. */
const messagePage = (
  brand: ShownBrand,
  language: Page['language'],
  key: MessageKey,
  visit: Visit | undefined,
): Page => ({
  language,
  brand,
  title: pageText(language, key),
  icon: key === 'slow' ? 'waiting' : 'stopped',
  content: html`<p>${pageText(language, `${key}Hint`)}</p>${visit && html`<a class="button" href="${visit.address}">${pageText(language, 'openAgain')}</a>${backTo(visit, ' quiet')}`}`,
})
