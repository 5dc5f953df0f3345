import { html, raw } from 'hono/html'
import { type Look, pill } from '../http/pages/parts/facts.ts'
import type { Content, Html } from '../http/pages/parts/frame.ts'
import { moneyText } from '../payments/situation.ts'
import { capitalised } from '../printable.ts'
import type { PaymentSummary } from '../store.ts'

export const total = <Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number => rows.reduce((sum, row) => sum + row[name], 0)

/** The entries of one page of a list; `found` has one more where older ones follow. */
export function pageOf<T>(found: readonly T[], size: number, older: (last: T) => string) {
  const shown = found.slice(0, size)
  return { shown, older: found.length > size ? older(shown.at(-1)!) : undefined }
}

/** A few numbers between hairlines. */
export const figures = (of: Readonly<Record<string, Content>>): Html =>
  html`<dl class="figures">${Object.entries(of).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value as never}</dd></div>`)}</dl>`

/** One thing that waits for a person. */
export interface Waits {
  look: Look
  sentence: Content
  href?: string
  facts: Content
  /** The money at stake. */
  stake?: Content
  /** The words of the link at the end. Default `Open`. */
  open?: string
  /** Why it happened and what to do, behind a summary. */
  more?: { id: string; summary: string; content: Content; open?: boolean }
}

export const queue = (of: readonly Waits[]): Html =>
  html`<ol class="queue">${of.map(({ look, sentence, href, facts, stake = '', open = 'Open', more }) => {
    const what =
      href === undefined
        ? html`<span class="what">${sentence as never}</span>`
        : html`<a class="what" href="${href}">${sentence as never}</a>`
    return html`<li><span class="mark ${look}"></span><div>${what}<p>${facts as never}</p></div><span class="stake">${stake as never}</span>${href ? html`<a class="button quiet small" href="${href}" tabindex="-1" aria-hidden="true">${open}</a>` : ''}${more ? html`<details id="${more.id}"${more.open ? raw(' open') : ''}><summary>${more.summary}</summary>${more.content as never}</details>` : ''}</li>`
  })}</ol>`

export interface StoryLine {
  at: number
  look: Look
  what: Content
  more?: Content
}

/** Events, the newest first, with a line for each day. */
export const timeline = (
  story: readonly StoryLine[],
  view: { time(at: number): Html; day(at: number): string },
): Html => {
  const lines = story.map(({ at, look, what, more = '' }, index) => {
    const before = story[index - 1]
    const isNew = before === undefined || view.day(before.at) !== view.day(at)
    return html`${isNew ? html`<li class="day">${view.day(at)}</li>` : ''}<li class="${look}">${view.time(at)}<div><p>${what as never}</p>${more === '' ? '' : html`<small>${more as never}</small>`}</div></li>`
  })
  return html`<ol class="line">${lines}</ol>`
}

export interface Stands {
  name: string
  says: Content
  state: Content
}

/** How the parts of one thing stand. */
export const tasks = (of: readonly Stands[]): Html =>
  html`<ul class="tasks">${of.map(({ name, says, state }) => html`<li><div><strong>${name}</strong><p class="hint">${says as never}</p></div>${state as never}</li>`)}</ul>`

/** Below a list: what it shows, and the way on. No list is counted to its end. */
export const paging = (says: string, older: string | undefined): Html =>
  html`<div class="paging"><span>${says}</span>${older === undefined ? '' : html`<a href="${older}" rel="next">Older</a>`}</div>`

export const crumbs = (...links: readonly (readonly [words: string, href: string])[]): Html =>
  html`<p class="crumbs">${links.map(([words, href], at) => html`${at > 0 ? ' / ' : ''}<a href="${href}">${words}</a>`)}</p>`

export const section = (title: string, content: Content, beside: Content = ''): Html =>
  html`<section><div class="row between"><h2>${title}</h2>${beside as never}</div>${content as never}</section>`

/** The main part and what stands beside it. */
export const columns = (main: Content, aside: Content): Html =>
  html`<div class="cols"><div>${main as never}</div><aside>${aside as never}</aside></div>`

/** A sentence with commands in backticks. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`

export const mono = (text: string): Html => html`<span class="mono">${text}</span>`

const looks = { paid: 'good', pending: 'wait', expired: '', cancelled: '' } as const

/** The status of a payment, and what else everybody has to know of its money. Never two pills of one meaning. */
export function pillsOf({ status, moved, review }: PaymentSummary): Html {
  const isDisputed = moved.includes('disputed') || moved.includes('charged_back')
  const others = [
    isDisputed && pill(moved.includes('chargeback_won') ? '' : 'bad', 'Disputed'),
    moved.includes('refunded') && pill('', 'Refunded'),
    review.includes('double_paid') && pill('bad', 'Paid twice'),
    review.includes('late_paid') && pill('wait', 'Paid late'),
    review.includes('start_unknown') && pill('wait', 'Start unknown'),
    review.some((kind) => !saidApart.has(kind)) && pill('wait', 'Needs review'),
  ]
  return html`${pill(looks[status], capitalised(status))}${others.filter((one) => one !== false).map((one) => html` ${one}`)}`
}

/** Kinds of anomaly that another pill says already. */
const saidApart = new Set<string>(['double_paid', 'late_paid', 'start_unknown', 'disputed', 'charged_back'])

export const webhookWords: Readonly<Record<PaymentSummary['webhook'], string>> = {
  none: 'Nothing owed',
  owed: 'Waits',
  dead: 'Given up',
  accepted: 'Accepted, not read',
  read: 'Read by the shop',
}

export const amountOf = ({ amount, currency }: { amount: string; currency: string }): string =>
  moneyText(amount as never, currency)
