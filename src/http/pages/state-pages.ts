import { html } from 'hono/html'
import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { decimal, formatMoney } from '../../money/index.ts'
import { type Attempt, codeOf, type Payment } from '../../payments/ledger/payment.ts'
import { totalsOf } from '../../payments/ledger/status.ts'
import type { PageContent } from '../../payments/pages/page-form.ts'
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

/** A form, because a link would be followed by programs that look at pages ahead of their visitor. */
const cancel = (visit: Visit) =>
  html`<form method="post" action="${visit.address}/cancel"><button class="link">${textOf(visit)('cancel')}</button></form>`

/** The link to the shop, as a button. */
export const backTo = (visit: Visit, look = '') =>
  html`<a class="button${look}" href="${visit.payment.redirectUrl}">${textOf(visit)('back')}</a>`

const icons = {
  paid: 'done',
  pending: 'waiting',
  part: 'waiting',
  expired: 'expired',
  cancelled: 'stopped',
} as const satisfies Record<string, Icon>

/** Which payment a page is about. */
function about(
  visit: Visit,
  { of = visit.attempt, more = {} }: { of?: Attempt; more?: Partial<Record<TextKey, PageContent>> } = {},
) {
  const text = textOf(visit)
  const all: Partial<Record<TextKey, PageContent>> = {
    order: isolated(of.orderNumber ?? of.orderId),
    total: formatMoney(of.amount, of.currency, visit.language.tag),
    ...more,
  }
  return html`${rows(Object.entries(all).map(([key, value]) => [text(key as TextKey), value]))}${testNote(visit)}`
}

/** Whether a part of the amount has come. */
export const isPart = ({ payment, attempt }: Visit): boolean =>
  payment.status === 'pending' && totalsOf(attempt)[0].received.gt(0)

/** How the payment stands, and the way back to the shop. With `goOn` the browser follows it by itself. `how` says how to pay the rest. */
export function statusPage(visit: Visit, { goOn, how }: { goOn: boolean; how?: PageContent }): Page {
  const { payment, language, attempt, adapter, shop } = visit
  const text = textOf(visit)
  const status = isPart(visit) ? 'part' : payment.status
  const [{ received: come }] = totalsOf(attempt)
  const money = (amount: string) => formatMoney(amount, attempt.currency, language.tag)
  const rest = {
    received: money(come.toString()),
    missing: money(decimal(attempt.amount).minus(come).toString()),
  }
  const own = status === 'part' ? ownText(adapter, language.tag, 'partHint', { ...rest, shop }) : undefined
  const content = html`<p>${own ?? text(`${status}Hint`)}</p>
${about(visit, status === 'part' ? { more: rest } : {})}${(how ?? '') as never}
${goOn ? html`<p class="hint">${text('backHint')}</p>` : ''}${backTo(visit)}`
  return statePage(visit, status, icons[status], content, goOn ? { url: payment.redirectUrl } : undefined)
}

/** A page that says where the customer is, with an icon. `goOn` is an address to which the browser goes by itself. */
function statePage(
  visit: Visit,
  title: TextKey,
  icon: Icon,
  content: Page['content'],
  goOn?: Page['goOn'],
): Page {
  const { language, brand } = visit
  return { language, brand, title: textOf(visit)(title), icon, content, ...(goOn && { goOn }) }
}

/** A form was handled, and nobody knows yet what became of it. The customer must not pay again, and must not be alone with that. */
export function unsurePage(visit: Visit, of: Attempt): Page {
  const text = textOf(visit)
  const content = html`<p>${text('unsureHint')}</p>
${about(visit, { of, more: { code: html`<code>${codeOf(of)}</code>` } })}
<form method="post" action="${visit.address}/look"><button>${text('lookAgain')}</button></form>${backTo(visit, ' quiet')}`
  return statePage(visit, 'unsure', 'unsure', content)
}

/** A form is handled just now. The browser looks again by itself. */
export function handlingPage(visit: Visit): Page {
  const text = textOf(visit)
  const next = `${visit.address}/go`
  const content = html`<p>${text('handlingHint')}</p>${about(visit)}<a class="button" href="${next}">${text('lookAgain')}</a>${backTo(visit, ' quiet')}`
  return statePage(visit, 'handling', 'waiting', content, { url: next, wait: 2 })
}

/** The customer chose another way to pay since, whose page is another one. */
export function replacedPage(visit: Visit): Page {
  const content = html`<p>${textOf(visit)('replacedHint')}</p>${about(visit)}${backTo(visit)}`
  return statePage(visit, 'replaced', 'onward', content)
}

/** The customer goes back to the shop from a payment that goes on: they may have confirmed it at their bank. */
export function leftPage(visit: Visit): Page {
  const text = textOf(visit)
  const content = html`<p>${text('leftHint')}</p>${about(visit)}${backTo(visit)}`
  return statePage(visit, 'left', 'onward', content, { url: visit.payment.redirectUrl })
}

/** The way to a bank. It leaves from a page of ours: `form-action` would block a redirect right behind the form. */
export function onwardPage(visit: Visit, url: string): Page {
  const text = textOf(visit)
  const content = html`<p>${text('onwardHint')}</p>${about(visit)}<a class="button" href="${url}">${text('goOn')}</a>${cancel(visit)}`
  return statePage(visit, 'onward', 'onward', content, { url })
}

/**
 * The customer came back from the bank without an end, by Back or in another tab. A second way to pay is offered only where it closes the first
 * one.
 */
export function unfinishedPage(visit: Visit, url: string, { again: isOffered }: { again: boolean }): Page {
  const text = textOf(visit)
  const others = isOffered
    ? html`<form method="post" action="${visit.address}/again"><button class="quiet">${text('startAgain')}</button></form>${cancel(visit)}`
    : backTo(visit, ' quiet')
  const content = html`<p>${text(isOffered ? 'unfinishedHint' : 'unfinishedAtBank')}</p>${about(visit)}<a class="button" href="${url}">${text('goOn')}</a>${others}`
  return statePage(visit, 'unfinished', 'waiting', content)
}
