import { html, raw } from 'hono/html'
import { code, copy, facts, head, json, note, pill } from '../../http/pages/parts/facts.ts'
import { optionList } from '../../http/pages/parts/forms.ts'
import type { Content, Html } from '../../http/pages/parts/frame.ts'
import { table } from '../../http/pages/parts/table.ts'
import { roundToCurrency } from '../../money/index.ts'
import { servicesAsked } from '../../payments/find-payments.ts'
import { anomalyWords, type OpenedAnomaly } from '../../payments/ledger/anomalies.ts'
import { moneyLeft, sumOf } from '../../payments/ledger/movements.ts'
import { type Attempt, codeOf, newestAttempt, type Payment } from '../../payments/ledger/payment.ts'
import { countingAttempt } from '../../payments/ledger/status.ts'
import { anomalySentence, situationOf } from '../../payments/situation.ts'
import type { Deliveries } from '../../store-port.ts'
import { confirm, field, hidden, reasonField } from '../fields.ts'
import { amountOf, columns, crumbs, figures, mono, pillsOf, prose, section, timeline } from '../parts.ts'
import { Refused } from '../roles.ts'
import type { ConsoleParts, Page, View } from '../view.ts'
import { drawingOf, endOf, findStory, linesOf, type Story } from './story.ts'

type Params = Readonly<Record<string, string>>

/** One payment: how it stands, what needs review, what happened, and what can be done. */
export async function paymentPage(
  parts: ConsoleParts,
  view: View,
  { shop = '', order = '' }: Params,
  refused?: { fault: Content; form: Params },
): Promise<Page> {
  const story = await findStory(parts.store, shop, order)
  if (!story) throw new Refused(404, `There is no order ${order} of ${shop}.`)
  const { fault = doneNote(view), form = {} } = refused ?? {}
  const { payment, summary, webhook, calls } = story
  const open = story.anomalies.filter(({ closedAt }) => closedAt === undefined)
  const situation = situationOf(payment, { anomalies: open, webhook, now: view.now })
  const counting = countingAttempt(payment)!
  const number = counting.orderNumber
  const title = `Order ${order}`
  const at = view.payment(shop, order)
  const adapter = adapterOf(parts, counting)
  const about = html`${title}${number === undefined || number === order ? '' : ` (${number})`} of <a href="${view.shop(shop)}">${shop}</a> · ${counting.adapter} ${counting.methodId} · opened ${view.time(payment.openedAt)}`
  return {
    title,
    live: !refused,
    faulty: refused !== undefined,
    content: html`${crumbs(['Payments', view.at('/payments')], [shop, view.at('/payments', { shop })])}
<div id="payment" data-live>${head(html`<span class="big">${amountOf(counting)}</span> ${pillsOf(summary)}`, about, html`${adapter?.status ? view.form('ask', `${at}/ask`, 'Ask service now') : ''}${view.form('send', `${at}/send`, 'Send webhook again')}${menu(parts, view, story, form)}`)}
${fault}${note(situation.look, situation.sentence, situation.more)}${story.requests
  .filter(({ outcome }) => outcome === undefined)
  .map((one) =>
    note(
      'wait',
      `A ${one.kind} of ${amountOf(one)} has no answer.`,
      'Under More it is asked for again, with the same key.',
    ),
  )}
${moneyOf(payment, counting)}</div>
${columns(
  html`<div id="review" data-live>${
    open.length === 0
      ? ''
      : section(
          'Needs review',
          open.map((one) => toClose(view, one, form)),
        )
  }</div>
${section('What happened', html`<div id="story" data-live>${drawingOf(story, view)}${timeline(linesOf(story, view), view)}</div>`, html`<span class="hint">Newest first</span>`)}
<div id="deliveries" data-live>${calls.length === 0 ? '' : section('Webhook deliveries', deliveriesTable(view, calls))}</div>`,
  html`<div id="about" data-live>${section('Payment', aboutOf(view, payment, counting))}
${section('Attempts', attemptsOf(view, payment))}</div>
${section('Times', html`<p class="hint">Shown in ${view.zone}${view.zone === 'UTC' ? '' : '; UTC when you point at one'}. Bodies of pushes are gone once they are processed; of each webhook the first and the last delivery are kept.</p>`)}`,
)}`,
  }
}

function moneyOf({ attempts }: Payment, attempt: Attempt): Html {
  const { received, refunded, chargedBack, chargebackWon, net, currency } = sumOf(attempts, attempt)
  const amount = (of: string) => amountOf({ amount: of, currency })
  return figures({
    Owed: amountOf(attempt),
    Received: amount(received),
    Refunded: amount(refunded),
    Disputed: amount(chargedBack),
    ...(Number(chargebackWon) > 0 && { 'Won back': amount(chargebackWon) }),
    Net: amount(net),
  })
}

const adapterOf = ({ workings }: ConsoleParts, { adapter }: Attempt) =>
  workings.payments.adapters.find(({ name }) => name === adapter)

/** An action leads to the page of its payment, which says so. */
const doneSentences: Readonly<Record<string, string>> = {
  ask: 'The payment service was asked. What is new is in the story.',
  send: 'The webhook is due now.',
  refund: 'The refund was asked for.',
  capture: 'The capture was asked for.',
  report: 'The report is a fact of the attempt now.',
  close: 'The anomaly is closed.',
}

function doneNote(view: View): Content {
  const { done = '' } = view.asked('done')
  return Object.hasOwn(doneSentences, done) ? note('good', doneSentences[done]!, '') : ''
}

/** The actions that move money, or could: each with its reason, and the amount on the button's side of the form. */
function menu(parts: ConsoleParts, view: View, { payment, requests }: Story, form: Params): Html {
  const path = view.payment(payment.shopId, payment.orderId)
  const unknown = requests.filter(({ outcome }) => outcome === undefined)
  const forms = (['refund', 'capture'] as const).flatMap((kind) =>
    payment.attempts.flatMap((attempt) => {
      const left = moneyLeft(attempt, kind, unknown)
      if (left.lte(0) || !view.may(kind) || !adapterOf(parts, attempt)?.[kind]) return []
      const { currency, id, adapter } = attempt
      const tried = form.do === kind && form.attempt === id ? form : undefined
      const most = roundToCurrency(left, currency)
      const verb = kind === 'refund' ? 'Refund' : 'Capture'
      const of = payment.attempts.length === 1 ? '' : ` of attempt ${payment.attempts.indexOf(attempt) + 1}`
      const what = `${adapter} is asked for it with a key that is kept, so that a repeat moves nothing twice.`
      const fields = html`${hidden({ attempt: id })}${field({ name: 'amount', label: `Amount in ${currency.toUpperCase()}`, hint: `At most ${most}. ${what}`, value: tried?.amount ?? most, id: `${kind}-${id}` })}${reasonField(`why-${kind}-${id}`, tried?.why)}`
      return confirm(
        `${kind}-of-${id}`,
        `${verb} up to ${amountOf({ amount: most, currency })}${of}`,
        view.form(kind, `${path}/${kind}`, verb, fields, false),
        tried !== undefined,
      )
    }),
  )
  const again = unknown.flatMap(({ kind, key, attemptId, amount, currency }) => {
    const attempt = payment.attempts.find(({ id }) => id === attemptId)
    if (!attempt || !view.may(kind) || !adapterOf(parts, attempt)?.[kind]) return []
    const tried = form.key === key ? form : undefined
    const fields = html`${hidden({ attempt: attemptId, amount, key })}<p class="hint">${attempt.adapter} is asked with the key of before, so it moves nothing twice.</p>${reasonField(`why-${key}`, tried?.why)}`
    return confirm(
      `again-${key}`,
      `Ask again for the ${kind} of ${amountOf({ amount, currency })}`,
      view.form(kind, `${path}/${kind}`, 'Ask again', fields, false),
      tried !== undefined,
    )
  })
  const tried = form.do === 'report' ? form : undefined
  const report = view.form('report', `${path}/report`, 'Report', reportFields(payment, tried), false)
  const byHand = confirm('by-hand', 'Report by hand', report, tried !== undefined)
  const asJson = html`<a href="${path}/raw">Raw JSON</a>`
  const link = html`<span>${copy(path)} address of this page</span>`
  return html`<details class="menu" id="more"${form.do === 'close' || form.do === undefined ? '' : raw(' open')}><summary class="button quiet small">More</summary><div>${again}${forms}${byHand}${link}${asJson}</div></details>`
}

/** The words that a person may report. */
const words = 'paid authorised failed cancelled expired refunded charged_back chargeback_won'.split(' ')

function reportFields(payment: Payment, tried: Params = {}): Html {
  const attempts = payment.attempts.toReversed().map((one): [string, string] => {
    const number = one.id.slice(one.id.lastIndexOf('.') + 1)
    return [one.id, `${amountOf(one)} of ${number.slice(0, 8)}`]
  })
  const { amount } = newestAttempt(payment)!
  return html`<p class="hint">It becomes a fact of the attempt, and everything follows: the status, the webhook. It cannot be taken back.</p>
<div class="field"><label for="report-attempt">Attempt</label><select id="report-attempt" name="attempt">${optionList(attempts, tried.attempt)}</select></div>
<div class="field"><label for="report-status">What happened</label><select id="report-status" name="status">${optionList(
    words.map((word) => [word, word]),
    tried.status,
  )}</select></div>
${field({ name: 'amount', label: 'Amount', hint: 'For words about money.', value: tried.amount ?? amount, id: 'report-amount' })}
${field({ name: 'event', label: 'Id of the event', hint: "The payment service's own: it counts once, however often it is reported.", value: tried.event ?? '', id: 'report-event' })}${reasonField('why-report', tried.why)}`
}

function toClose(view: View, anomaly: OpenedAnomaly, tried: Params): Html {
  const { kind, id, openedAt, remedy, event } = anomaly
  const written = tried.id === id ? tried.note : undefined
  const hint = 'Stays with the anomaly. Your name and the time go into the audit trail.'
  const fields = html`${hidden({ id })}${field({ name: 'note', label: 'What was done', hint, isLong: true, value: written, id: `note-${id}` })}`
  const may = anomaly.stake === undefined || view.may('refund')
  const form = may ? view.form('close', view.at('/anomalies/close'), 'Close anomaly', fields) : ''
  return html`<div class="confirm"><div class="row between"><strong>${anomalySentence(anomaly)}</strong><span class="hint">${mono(kind)} · ${mono(id)} · opened ${view.time(openedAt)}</span></div><p>${anomalyWords(anomaly) || event}</p><p>${prose(remedy)}</p>${form === '' ? '' : html`<details id="close-${id}"${written === undefined ? '' : raw(' open')}><summary>Close with a note</summary>${form}</details>`}</div>`
}

function deliveriesTable(view: View, deliveries: readonly Deliveries[]): Html {
  const rows = deliveries.toReversed().flatMap(({ version, calls, first, last }) =>
    (last ? [last, first] : [first]).map((call) => {
      const of = calls === 1 ? `${version}` : `${version}, ${call === first ? 'first' : 'last'} of ${calls}`
      const isWell = call.failure === undefined
      return {
        cells: [
          of,
          pill(isWell ? 'good' : 'bad', call.status === undefined ? 'No answer' : String(call.status)),
          view.time(call.at),
          `${call.ms} ms`,
        ],
        under: html`${call.failure ?? ''}${view.isAdmin && call.answer !== '' ? html`<details><summary>Answer</summary>${code(call.answer.slice(0, 10_240))}</details>` : ''}`,
      }
    }),
  )
  return table('Deliveries', { Version: 'first', Answer: 'state', When: '', Took: 'right' }, rows)
}

const named = (value: string | undefined): Html | undefined =>
  value === undefined ? undefined : html`${mono(value)} ${copy(value)}`

function aboutOf(view: View, payment: Payment, counting: Attempt): Html {
  const { orderId, statusVersion, readVersion, deliveredVersion } = payment
  const [asked] = servicesAsked(payment, view.now)
  const isAccepted = deliveredVersion >= statusVersion
  const knows = readVersion >= statusVersion ? 'read by the shop' : isAccepted ? 'accepted' : 'owed'
  return facts({
    Order: html`${orderId} ${copy(orderId)}`,
    Number: named(counting.orderNumber),
    Counts: `Attempt ${payment.attempts.indexOf(counting) + 1}`,
    Method: `${counting.adapter} ${counting.methodId}`,
    Reference: named(counting.started?.reference),
    Mode: counting.mode === 'live' ? 'Live' : 'Test',
    'Status version': statusVersion === 0 ? 'none owed' : `${statusVersion}, ${knows}`,
    Asked:
      asked?.askedAt === undefined ? undefined : html`${view.time(asked.askedAt)}: ${asked.answer ?? ''}`,
    'Next ask': asked?.nextAt === undefined ? 'none' : view.time(asked.nextAt),
    'Webhook to': URL.parse(payment.webhookUrl)?.host,
  })
}

const attemptsOf = (view: View, payment: Payment): Html =>
  facts(
    Object.fromEntries(
      payment.attempts.map((attempt, at) => [
        `Attempt ${at + 1}`,
        html`${amountOf(attempt)} · ${endOf(attempt)?.kind ?? (attempt.started ? 'goes on' : 'start unknown')}, opened ${view.time(attempt.openedAt)}<br>${named(attempt.id)!}<br>Code ${mono(codeOf(attempt))}`,
      ]),
    ),
  )

/** All that the store has of a payment, as JSON. What adapters and pages keep is sealed, and stays away. */
export async function rawPayment(
  { store }: ConsoleParts,
  view: View,
  { shop = '', order = '' }: Params,
): Promise<Page | undefined> {
  const found = await findStory(store, shop, order)
  if (!found) return undefined
  const { attempts, redirectUrl: _, webhookUrl, ...payment } = found.payment
  const shown = attempts.map(({ pageHash: __, pageState: ___, started, facts: learned, ...attempt }) => ({
    ...attempt,
    reference: started?.reference,
    facts: learned.map(({ detail, ...fact }) => ({ ...fact, ...(view.isAdmin && { detail }) })),
  }))
  const all = {
    ...payment,
    webhookHost: URL.parse(webhookUrl)?.host,
    attempts: shown,
    anomalies: found.anomalies,
  }
  return {
    title: `Order ${order}, raw`,
    content: html`${crumbs(['Payments', view.at('/payments')], [`Order ${order}`, view.payment(shop, order)])}${head('Raw JSON')}${json(JSON.stringify(all))}`,
  }
}
