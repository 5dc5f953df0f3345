import { fileURLToPath } from 'node:url'
import { html, raw } from 'hono/html'
import { DeadlinePassed } from '../../adapters/call-adapter.ts'
import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { Problem } from '../../contract/index.ts'
import { wrongAnswer, wrongCall } from '../../errors/errors.ts'
import { decimal, formatMoney } from '../../money/index.ts'
import type { Parts } from '../../parts.ts'
import type { PageLine, PageView, PaymentAttempt } from '../../payments/adapter-context.ts'
import { attemptView, CalledAdapter, type Calling, paymentContext } from '../../payments/called-adapter.ts'
import { type PageContent, pauseLeft } from '../../payments/pages/page-form.ts'
import { openState, type PageState } from '../../payments/pages/page-state.ts'
import { PageAssets, type ServedFile } from './assets.ts'
import { HtmlForm } from './form.ts'
import type { Page } from './layout.ts'
import type { PolicyInput } from './policy.ts'
import { noMoreForms, paused, paymentPage, rows, statusPage, type Visit } from './state-pages.ts'
import { isolated, ownText } from './texts.ts'

type KeptForm = Pick<Extract<PageState, { is: 'again' }>, 'content' | 'isText'>

export const assetFolder = (assets: string | URL): string =>
  typeof assets === 'string' ? assets : fileURLToPath(assets)

/** The view of a page, for adapters. `asset` finds the address of a file. */
export function pageView(
  { attempt, adapter, language }: Pick<Visit, 'adapter' | 'language'> & { attempt: PaymentAttempt },
  asset: PageView['asset'],
): PageView {
  const { tag } = language
  const text: PageView['text'] = (key, values) =>
    ownText(adapter, tag, key, values) ?? language.find(key, values)?.join('') ?? key
  const amount = formatMoney(attempt.amount, attempt.currency, tag)
  const money: PageView['money'] = (given) => formatMoney(decimal(given).toString(), attempt.currency, tag)
  return { attempt, language: tag, amount, money, text, form: (state) => new HtmlForm(text, state), asset }
}

/** The pages of the payment adapters: their content, their files, and what they may load. */
export class AdapterPages {
  readonly #workings: Calling & Parts<'addresses'>
  readonly #assets = new Map<string, PageAssets>()

  constructor(workings: Calling & Parts<'addresses'>) {
    this.#workings = workings
    for (const { name, page } of workings.payments.adapters)
      if (page?.assets !== undefined) this.#assets.set(name, new PageAssets(assetFolder(page.assets)))
  }

  /** A file by its name in the address. */
  file(adapter: string, name: string): ServedFile | undefined {
    return this.#assets.get(adapter)?.file(name)
  }

  policyOf({ name, page }: AnyPaymentAdapter): Omit<PolicyInput, 'style'> {
    const assets = this.#assets.get(name)
    return {
      allow: page?.allow,
      assets: assets && { script: assets.has('script'), style: assets.has('style'), font: assets.hasFonts },
    }
  }

  viewOf({ attempt, adapter, language }: Visit): PageView {
    return pageView({ attempt: attemptView(this.#workings.contents, attempt), adapter, language }, (name) => {
      const served = this.#assets.get(attempt.adapter)?.servedName(name)
      if (served === undefined) throw wrongCall(`asset("${name}"): there is no such file in \`page.assets\``)
      return `${this.#base(attempt.adapter)}/${served}`
    })
  }

  /** The page with the adapter's form, or with what an earlier form left. Rejects with a `PageTooLate` if the adapter does not answer in time. */
  async page(visit: Visit, kept: KeptForm | undefined): Promise<Page> {
    const { attempt, adapter } = visit
    const view = this.viewOf(visit)
    const { count } = openState(this.#workings.contents, attempt)
    const shown = kept && (kept.isText ? kept.content : raw(kept.content))
    const content = count.isOver ? noMoreForms(visit) : (shown ?? (await this.#rendered(visit, view)))
    const left = count.isOver ? 0 : pauseLeft(count, this.#workings.world.now())
    const numbered = html`${left > 0 ? paused(visit, left) : ''}${withNumber(content, count.forms)}`
    return paymentPage(visit, numbered, this.#loaded(adapter!), rows(this.#lines(visit, view)))
  }

  /** The page of a payment of which a part has come. One that takes no forms goes on to say how to pay. */
  async part(visit: Visit): Promise<Page> {
    const { page } = visit.adapter!
    if (page!.submit) return statusPage(visit, { goOn: false })
    const how = await this.#rendered(visit, this.viewOf(visit))
    return { ...statusPage(visit, { goOn: false, how }), assets: this.#loaded(visit.adapter!) }
  }

  async #rendered(visit: Visit, view: PageView): Promise<PageContent> {
    const { attempt, adapter } = visit
    const { name, page } = adapter!
    const workings = this.#workings
    const called = new CalledAdapter(workings, adapter!, attempt.shopId, workings.payments.deadlines.page)
    const ctx = await paymentContext(called)
    try {
      return checkContent(await called.ask('render', () => page!.render(view, ctx)), name)
    } catch (error) {
      throw error instanceof DeadlinePassed ? new PageTooLate(visit, error) : error
    }
  }

  #loaded({ name }: AnyPaymentAdapter) {
    return this.#assets.get(name)?.loadedFrom(this.#base(name)) ?? []
  }

  /** The lines of the order. A fault in them is logged, and the page is shown without. */
  #lines({ attempt, adapter }: Visit, view: PageView): [title: PageContent, amount: PageContent][] {
    try {
      const lines: unknown = adapter!.page!.lines?.(view) ?? []
      if (lines instanceof Promise) lines.catch(() => {})
      if (!Array.isArray(lines)) throw wrongCall('page.lines() must return a list')
      return lines.map((line: Partial<PageLine> | null) => {
        if (typeof line?.title !== 'string' || typeof line.amount !== 'string')
          throw wrongCall('page.lines() must return lines with a title and an amount, both text')
        return [isolated(line.title), isolated(line.amount)]
      })
    } catch (error) {
      const about = { adapter: adapter!.name, shop: attempt.shopId, attempt: attempt.id }
      this.#workings.world.log.warn({ ...about, err: error }, 'the lines of a payment page are left out')
      return []
    }
  }

  #base(adapter: string): string {
    return `${this.#workings.addresses.publicUrl}/p/-/assets/${adapter}`
  }
}

/** The field that says which form of an attempt is posted: one of an older page is not handled again. */
export const formNumber = 'purveyor-form'

/** Every form of the content that posts to the page's own address gets the number. */
function withNumber(content: PageContent, forms: number): PageContent {
  const isEscaped = content.isEscaped === true
  const shown = String(isEscaped ? content : html`${String(content)}`)
  const field = `<input type="hidden" name="${formNumber}" value="${forms}">`
  return raw(shown.replaceAll(/<form\b(?![^>]*\saction=)[^>]*>/gi, (tag) => tag + field))
}

/** Throws `ADAPTER_ANSWER_INVALID` for an object of no class, which says nothing. */
function checkContent(content: unknown, adapter: string): PageContent {
  if (typeof content === 'string' || (content as PageContent | null | undefined)?.isEscaped === true)
    return content as PageContent
  throw wrongAnswer(
    `render() of payment adapter "${adapter}" returns no content: return a text, or what \`html\` makes`,
  )
}

/** The adapter did not answer in time. Its action may still take effect. */
export class PageTooLate extends Problem {
  readonly about: { adapter: string; shop: string; attempt: string }

  constructor({ attempt }: Visit, cause: DeadlinePassed) {
    super('PAGE_TIMEOUT', { cause })
    this.about = { adapter: attempt.adapter, shop: attempt.shopId, attempt: attempt.id }
  }
}
