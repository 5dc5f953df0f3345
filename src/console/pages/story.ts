import { html } from 'hono/html'
import type { Look } from '../../http/pages/parts/facts.ts'
import type { Html } from '../../http/pages/parts/frame.ts'
import type { Attempt, Payment } from '../../payments/ledger/payment.ts'
import { isMoneyWord, type ReportWord } from '../../payments/ledger/report.ts'
import { paymentTimeline, type TimelineEvent } from '../../payments/payment-timeline.ts'
import { anomalySentence, moneyText } from '../../payments/situation.ts'
import { capitalised, counted, duration } from '../../printable.ts'
import { auditWords } from '../../shops/audit-words.ts'
import type { StorePort } from '../../store-port.ts'
import { type DrawnLane, type Fill, type LaneMark, lanes } from '../drawings.ts'
import { mono, type StoryLine } from '../parts.ts'
import type { View } from '../view.ts'

/** All that the store has about one payment. `undefined` if there is none. */
export async function findStory(store: StorePort, shopId: string, orderId: string) {
  const order = { shopId, orderId }
  const [found, [summary], [webhook], trail] = await Promise.all([
    paymentTimeline(store, shopId, orderId),
    store.summariesOf([order]),
    store.webhooks({ ...order, limit: 1 }),
    store.auditOfOrder(shopId, orderId),
  ])
  return found && summary && { ...found, summary, webhook: webhook!, trail }
}

export type Story = NonNullable<Awaited<ReturnType<typeof findStory>>>

const looks: Partial<Record<ReportWord, Look>> = {
  paid: 'good',
  authorised: 'good',
  chargeback_won: 'good',
  refunded: 'wait',
  refund_failed: 'wait',
  disputed: 'bad',
  charged_back: 'bad',
}

const verbs: Partial<Record<ReportWord, string>> = {
  refund_failed: 'A refund failed:',
  disputed: 'Disputed:',
  chargeback_won: 'Dispute won:',
}

const capital = (text: string) => capitalised(text.replaceAll('_', ' '))
const money = (amount: string | undefined, currency: string | undefined) =>
  amount === undefined || currency === undefined ? '' : moneyText(amount, currency)

/** The events of a payment, the newest first, each with its source, event, attempt and node. */
export function linesOf({ payment, events, trail }: Story, view: View): StoryLine[] {
  const number = (id: string) => payment.attempts.findIndex((one) => one.id === id) + 1
  const learned = events.map((event) => ({ at: event.at, ...wordsFor(event, payment, number, view) }))
  const byHand = trail.map((entry): StoryLine => {
    const what = html`${entry.by} ${auditWords(entry)}`
    return { at: entry.at, look: '', what, more: 'From the audit trail' }
  })
  return [...learned, ...byHand].sort((one, other) => other.at - one.at)
}

function wordsFor(
  event: TimelineEvent,
  payment: Payment,
  number: (id: string) => number,
  view: View,
): Omit<StoryLine, 'at'> {
  switch (event.type) {
    case 'opened': {
      const { amount, currency, adapter, method, reference, how } = event
      const next =
        how === undefined
          ? 'the outcome of its start is unknown'
          : { redirect: 'sent to the payment service', page: 'on our page', later: 'to be paid later' }[how]
      const named = reference === undefined ? '' : html` · reference ${mono(reference)}`
      return {
        look: how === undefined ? 'wait' : '',
        what: `Attempt ${number(event.attempt)} opened: ${money(amount, currency)} by ${adapter} ${method}`,
        more: html`${capital(next)}${named}`,
      }
    }
    case 'reported': {
      const { word, amount, currency, source, event: id, answerBy, detail, node, conflicts } = event
      // The words of payment services may repeat what a customer typed.
      const parts = [
        `By ${source}`,
        ...(payment.attempts.length > 1 ? [`attempt ${number(event.attempt)}`] : []),
        ...(node ? [`node ${node}`] : []),
      ]
      const until = answerBy === undefined ? '' : html` · answer by ${view.time(answerBy)}`
      return {
        look: conflicts ? 'wait' : (looks[word] ?? ''),
        what: html`<strong>${verbs[word] ?? capital(word)} ${money(amount, currency)}</strong>${conflicts ? ' does not count: the event is on record with other money' : ''}`,
        more: html`${parts.join(' · ')}${id === undefined ? '' : html` · event ${mono(id)}`}${until}${detail === undefined || !(view.isAdmin || source === 'report') ? '' : ` · ${detail}`}`,
      }
    }
    case 'money_asked': {
      const { kind, amount, currency, key, outcome, detail } = event
      const became =
        outcome === 'refused' ? `refused: ${detail ?? ''}` : (outcome ?? 'its outcome is unknown')
      return {
        look: outcome === 'refused' ? 'bad' : outcome === undefined ? 'wait' : '',
        what: `${capital(kind)} of ${money(amount, currency)} asked for: ${became}`,
        more: html`Key ${mono(key)}${event.why === undefined ? '' : ` · ${event.why}`}`,
      }
    }
    case 'delivery': {
      const { version, status, failure, ms, deliveries } = event
      const more = `version ${version}${deliveries === undefined ? '' : `, last of ${deliveries}`} · ${ms} ms`
      return failure === undefined
        ? { look: 'good', what: `Webhook accepted with ${status}`, more }
        : { look: 'bad', what: `Webhook failed: ${failure}`, more }
    }
    case 'read':
      return { look: 'good', what: `The shop read the status`, more: `Version ${event.version}` }
    case 'anomaly_opened':
      return {
        look: 'wait',
        what: html`Needs review: ${anomalySentence(event.anomaly)}`,
        more: html`${mono(event.anomaly.kind)} · id ${mono(event.anomaly.id)}`,
      }
    case 'anomaly_closed':
      return { look: '', what: html`Closed: ${mono(event.anomaly.kind)}`, more: event.anomaly.note ?? '' }
  }
}

/** More events than this are listed alone. */
const mostDrawn = 40

const fills: Readonly<Record<Look, Fill>> = { good: 'g', wait: 'w', bad: 'b', '': 'w' }
const minus: readonly ReportWord[] = ['refunded', 'charged_back']

/** The fact that ended an attempt; `undefined` while it goes on. */
export const endOf = ({ facts }: Attempt) =>
  facts.find(({ kind }) => kind === 'paid' || kind === 'failed' || kind === 'cancelled' || kind === 'expired')

/** The payment as lanes over time: its attempts, money, webhook, what the shop read, and what needed review. */
export function drawingOf({ payment, events, anomalies }: Story, view: View): Html | '' {
  if (events.length > mostDrawn) return ''
  const { now } = view
  const attempts = payment.attempts.map((attempt, at): DrawnLane => {
    const { kind = 'open', at: endedAt = now } = endOf(attempt) ?? {}
    const fill = kind === 'open' ? 'a' : kind === 'paid' ? 'g' : 'p'
    const until = Math.max(attempt.openedAt, endedAt)
    return { name: `Attempt ${at + 1}`, marks: [{ at: attempt.openedAt, until, fill, words: kind }] }
  })
  const money = payment.attempts.flatMap(({ facts }) =>
    facts
      .filter(({ kind }) => isMoneyWord(kind) && kind !== 'authorised')
      .map(({ at, kind, amount = '' }): LaneMark => {
        const words = `${minus.includes(kind) ? '−' : '+'}${amount}`
        return { at, fill: fills[looks[kind] ?? ''], words }
      }),
  )
  const webhook = events.flatMap((event): LaneMark[] =>
    event.type === 'delivery' ? [{ at: event.at, fill: event.failure === undefined ? 'g' : 'b' }] : [],
  )
  const shop = events.flatMap((event): LaneMark[] =>
    event.type === 'read' ? [{ at: event.at, fill: 'g', words: 'read' }] : [],
  )
  const review = anomalies.map(
    ({ openedAt: at, closedAt }): LaneMark =>
      closedAt === undefined
        ? { at, until: now, fill: 'b', words: `open ${duration(now - at)}` }
        : { at, until: closedAt, fill: 'p', words: 'closed' },
  )
  const others = Object.entries({ Money: money, Webhook: webhook, Shop: shop, Review: review })
  const all = [...attempts, ...others.map(([name, marks]) => ({ name, marks }))]
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  return lanes(drawingInWords(payment, events), all, (at, before) =>
    before !== undefined && view.day(before) === view.day(at)
      ? view.format(at, clock)
      : view.format(at, { day: 'numeric', month: 'short', ...clock }),
  )
}

/** The drawing in a sentence. */
function drawingInWords(payment: Payment, events: readonly TimelineEvent[]): string {
  const moved = events.flatMap((event) =>
    event.type === 'reported' && event.amount !== undefined
      ? [`${event.word.replaceAll('_', ' ')} ${money(event.amount, event.currency)}`]
      : [],
  )
  const sent = events.some((event) => event.type === 'delivery' && event.failure === undefined)
  const attempts = `The payment over time: ${counted(payment.attempts.length, 'attempt')}`
  return [attempts, ...moved, sent ? 'webhook accepted' : 'no webhook accepted'].join(', ')
}
