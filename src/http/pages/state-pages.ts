import { html } from 'hono/html'
import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { decimal, formatMoney } from '../../money/index.ts'
import { type Attempt, codeOf, type Payment } from '../../payments/ledger/payment.ts'
import { totalsOf } from '../../payments/ledger/status.ts'
import type { PageContent } from '../../payments/pages/page-form.ts'
import type { PageStanding } from '../../payments/pages/page-state.ts'
import type { PageAsset } from './assets.ts'
import type { ShownBrand } from './brands.ts'
import type { Icon, Page } from './layout.ts'
import { note } from './parts/facts.ts'
import { isolated, ownText, type PageLanguage, pageText, type TextKey } from './texts.ts'

/** A visit of the page of an attempt. */
export interface Visit {
  attempt: Attempt
  payment: Payment
  /** Not set where the provider no longer has it. */
  adapter: AnyPaymentAdapter | undefined
  language: PageLanguage
  brand: ShownBrand
  /** The shop in sentences: the name of its own brand, otherwise words such as "the shop". */
  shop: string
  /** The address of the page, without a slash at the end. */
  address: string
}

const textOf =
  ({ language, shop }: Visit) =>
  (key: TextKey) =>
    pageText(language, key, { shop })

/** The form of the adapter, with the order it is about and a way back without paying. */
export function paymentPage(
  visit: Visit,
  content: PageContent,
  assets: readonly PageAsset[],
  lines: PageContent,
): Page {
  const { attempt, language, brand } = visit
  const { orderNumber: order } = attempt
  const amount = formatMoney(attempt.amount, attempt.currency, language.tag)
  return {
    ...{ language, brand, assets },
    title: pageText(language, order === undefined ? 'titleWithoutNumber' : 'title', { order: order ?? '' }),
    windowTitle: pageText(language, 'payAmount', { amount }),
    faulty: String(content).includes(' role="alert"'),
    // Where there is no room for all of it, the currency goes on a line of its own.
    content: html`<p class="owe">${amount.replace(/(?<!\d)\u00a0|\u00a0(?!\d)/, ' ')}</p>${lines as never}${testNote(visit)}${content as never}${cancel(visit)}`,
  }
}

/** Several forms came to nothing: the next one has to wait, for so many milliseconds. */
export function paused({ language }: Visit, left: number) {
  const seconds = Math.ceil(left / 1_000)
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  const time = new Intl.NumberFormat(language.tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  return note('wait', pageText(language, 'paused', { time }), '', { alert: true })
}

/** There were too many forms, and the attempt could not be ended. */
export function noMoreForms(visit: Visit): PageContent {
  const text = textOf(visit)
  return note('bad', text('noMoreForms'), text('cancelledHint'), { alert: true })
}

/** On the pages of a payment that moves no money. */
const testNote = (visit: Visit) =>
  visit.attempt.mode === 'test' ? note('wait', textOf(visit)('testPage')) : ''

/** Names of the order with their values: its lines, or what a payment is about. */
export const rows = (of: readonly (readonly [name: PageContent, value: PageContent])[]): PageContent =>
  of.length === 0
    ? ''
    : html`<dl class="sum">${of.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** A button of a form, because a link would be followed by programs that look at pages ahead of their visitor. */
const formTo = (visit: Visit, action: string, words: TextKey, look = '') =>
  html`<form method="post" action="${visit.address}/${action}"><button${look && html` class="${look}"`}>${textOf(visit)(words)}</button></form>`

const cancel = (visit: Visit) => formTo(visit, 'cancel', 'cancel', 'link')

/** The link to the shop, as a button. */
export const backTo = (visit: Visit, look = '') =>
  html`<a class="button${look}" href="${visit.payment.redirectUrl}">${textOf(visit)('back')}</a>`

/** The state of a page, which is the key of its title: the picture of each. */
const icons = {
  ...{ paid: 'done', pending: 'waiting', part: 'waiting', expired: 'expired', cancelled: 'stopped' },
  ...{ unsure: 'unsure', handling: 'waiting', unfinished: 'waiting' },
  ...{ replaced: 'onward', left: 'onward', onward: 'onward' },
} as const satisfies Partial<Record<TextKey, Icon>>

interface StatePage {
  /** Below which payment it is about. */
  content: PageContent
  /** The payment it is about. Default: that of the visit. */
  of?: Attempt
  /** More lines about it, by the keys of their names. */
  more?: Partial<Record<TextKey, PageContent>>
  /** The sentence under the title. Default: the text of the state. */
  hint?: PageContent
  /** The address to which the browser goes by itself. */
  goOn?: Page['goOn']
}

/** A page that says where the customer is, with an icon, and which payment it is about. */
function statePage(visit: Visit, state: keyof typeof icons, given: StatePage): Page {
  const { language, brand, attempt } = visit
  const text = textOf(visit)
  const { of = attempt, more, hint = text(`${state}Hint`), goOn } = given
  const about: Partial<Record<TextKey, PageContent>> = {
    order: isolated(of.orderNumber ?? of.orderId),
    total: formatMoney(of.amount, of.currency, language.tag),
    ...more,
  }
  const lines = Object.entries(about).map(([key, value]) => [text(key as TextKey), value] as const)
  const content = html`<p>${hint}</p>${rows(lines)}${testNote(visit)}${given.content}`
  return { language, brand, title: text(state), icon: icons[state], content, ...(goOn && { goOn }) }
}

const goOnTo = (visit: Visit, url: string) =>
  html`<a class="button" href="${url}">${textOf(visit)('goOn')}</a>`

/** Whether a part of the amount has come. */
export const isPart = ({ payment, attempt }: Visit): boolean =>
  payment.status === 'pending' && totalsOf(attempt)[0].received.gt(0)

/** How the payment stands, and the way back to the shop. With `goOn` the browser follows it by itself. `how` says how to pay the rest. */
export function statusPage(visit: Visit, { goOn, how }: { goOn: boolean; how?: PageContent }): Page {
  const { payment, language, attempt, adapter, shop } = visit
  const text = textOf(visit)
  const ends = html`${how ?? ''}${goOn ? html`<p class="hint">${text('backHint')}</p>` : ''}${backTo(visit)}`
  const given: StatePage = { content: ends, ...(goOn && { goOn: { url: payment.redirectUrl } }) }
  if (!isPart(visit)) return statePage(visit, payment.status, given)
  const [{ received: come }] = totalsOf(attempt)
  const money = (amount: string) => formatMoney(amount, attempt.currency, language.tag)
  const more = {
    received: money(come.toString()),
    missing: money(decimal(attempt.amount).minus(come).toString()),
  }
  return statePage(visit, 'part', {
    ...given,
    more,
    hint: ownText(adapter, language.tag, 'partHint', { ...more, shop }),
  })
}

/**
 * The page of where a payment stands. `goOn`: it is the last one before the shop. `again`: another way to pay closes the one that goes on,
 * so it is offered.
 */
export function standingPage(
  visit: Visit,
  at: Exclude<PageStanding, { shows: 'form' }>,
  { goOn = false, again = false } = {},
): Page {
  switch (at.shows) {
    case 'status':
      return statusPage(visit, { goOn })
    case 'replaced':
      return statePage(visit, 'replaced', { content: backTo(visit) })
    case 'handling':
      return handlingPage(visit)
    case 'unsure':
      return unsurePage(visit, at.of)
    case 'onward':
      return unfinishedPage(visit, at.url, again)
  }
}

/** A form was handled, and nobody knows yet what became of it. The customer must not pay again, and must not be alone with that. */
export const unsurePage = (visit: Visit, of: Attempt): Page =>
  statePage(visit, 'unsure', {
    ...{ of, more: { code: html`<code>${codeOf(of)}</code>` } },
    content: html`${formTo(visit, 'look', 'lookAgain')}${backTo(visit, ' quiet')}`,
  })

/** A form is handled just now. The browser looks again by itself. */
function handlingPage(visit: Visit): Page {
  const url = `${visit.address}/go`
  const content = html`<a class="button" href="${url}">${textOf(visit)('lookAgain')}</a>${backTo(visit, ' quiet')}`
  return statePage(visit, 'handling', { content, goOn: { url, wait: 2 } })
}

/** The customer came back from the bank without an end, by Back or in another tab. */
function unfinishedPage(visit: Visit, url: string, again: boolean): Page {
  const hint = textOf(visit)(again ? 'unfinishedHint' : 'unfinishedAtBank')
  const others = again
    ? html`${formTo(visit, 'again', 'startAgain', 'quiet')}${cancel(visit)}`
    : backTo(visit, ' quiet')
  return statePage(visit, 'unfinished', { hint, content: html`${goOnTo(visit, url)}${others}` })
}

/** The customer goes back to the shop from a payment that goes on: they may have confirmed it at their bank. */
export const leftPage = (visit: Visit): Page =>
  statePage(visit, 'left', { content: backTo(visit), goOn: { url: visit.payment.redirectUrl } })

/** The way to a bank. It leaves from a page of ours: `form-action` would block a redirect right behind the form. */
export const onwardPage = (visit: Visit, url: string): Page =>
  statePage(visit, 'onward', { content: html`${goOnTo(visit, url)}${cancel(visit)}`, goOn: { url } })
