import { html } from 'hono/html'
import { empty, head } from '../../http/pages/parts/facts.ts'
import { filters } from '../../http/pages/parts/forms.ts'
import { decimal } from '../../money/index.ts'
import { type AnomalyKind, anomalyKinds, type OpenedAnomaly } from '../../payments/ledger/anomalies.ts'
import { anomalySentence, isBad } from '../../payments/situation.ts'
import { counted, duration } from '../../printable.ts'
import { sameCauseWithin } from '../../store.ts'
import type { AnomalyCause } from '../../store-port.ts'
import { box, field, hidden, select, textBox } from '../fields.ts'
import { amountOf, mono, prose, queue, section, total, type Waits } from '../parts.ts'
import type { ConsoleParts, Page, View } from '../view.ts'

const mostCauses = 500
const kinds = Object.fromEntries(Object.keys(anomalyKinds).map((name) => [name, name]))

/** Open anomalies by cause. With `by` age the oldest come first, otherwise those with the most money. */
export async function anomaliesPage({ store }: ConsoleParts, view: View): Promise<Page> {
  const { kind, shop: shopId, adapter, by, closed } = view.asked('kind', 'shop', 'adapter', 'by', 'closed')
  const [causes, ended] = await Promise.all([
    store.anomalyCauses({ within: sameCauseWithin, limit: mostCauses, shopId }),
    closed ? store.anomalies({ closed: 'only', limit: 1_000, shopId }) : [],
  ])
  const isOfKind = (one: { kind: string }) => !kind || one.kind === kind
  const shown = sorted(causes, by).filter((one) => isOfKind(one) && (!adapter || one.adapter === adapter))
  const shownEnded = ended.filter(isOfKind).slice(0, 100)
  const fields = html`${select('by', 'Order by', { '': 'Money at stake', age: 'Age' }, by)}${select('kind', 'Kind', { '': 'Every kind', ...kinds }, kind)}${textBox('shop', 'Shop', shopId)}${textBox('adapter', 'Adapter', adapter)}${box('closed', 'Closed too', closed)}`
  const says = `${total(shown, 'count')} open, in ${counted(shown.length, 'cause')}. ${stakeWords(shown)}Only a person closes one.`
  return {
    title: 'Anomalies',
    live: true,
    content: html`${head('Anomalies', says)}
${filters(view.at('/anomalies'), 'Filter anomalies', fields, view.at('/anomalies'))}
<div id="causes" data-live>${shown.length === 0 ? empty('Nothing needs review.') : queue(shown.map((one) => causeOf(view, one)))}</div>
${shownEnded.length === 0 ? '' : section('Closed', queue(shownEnded.map((one) => closedOf(view, one))))}`,
  }
}

const closedOf = (view: View, one: OpenedAnomaly): Waits => ({
  look: '',
  sentence: anomalySentence(one),
  href: view.payment(one.shopId, one.orderId),
  open: 'Payment',
  facts: html`${one.shopId} · ${mono(one.kind)} · order ${one.orderId} · closed ${view.time(one.closedAt!)}: ${one.note ?? ''}`,
})

/** Money first: the most of it, and bad ones before others; then by age. */
export const sorted = (causes: readonly AnomalyCause[], by = ''): AnomalyCause[] =>
  causes.toSorted(
    (one, other) =>
      (by !== 'age' &&
        (Number(isBad(other.kind)) - Number(isBad(one.kind)) || stakeOf(other) - stakeOf(one))) ||
      one.openedAt - other.openedAt,
  )

/** For the order alone: amounts of several currencies have no sum. */
const stakeOf = ({ stakes }: AnomalyCause): number =>
  Math.max(0, ...stakes.map(({ amount }) => Number(amount)))

/** `€181.20 and £20.00 at stake.` */
export function stakeWords(causes: readonly AnomalyCause[]): string {
  const sums = new Map<string, ReturnType<typeof decimal>>()
  for (const { currency, amount } of causes.flatMap(({ stakes }) => stakes))
    sums.set(currency, (sums.get(currency) ?? decimal(0)).plus(amount))
  const words = [...sums].map(([currency, sum]) => amountOf({ amount: sum.toString(), currency }))
  return words.length === 0 ? '' : `${words.join(' and ')} at stake. `
}

/** A cause as one thing to do. One anomaly leads to its payment, several to the list of those. */
export function causeOf(view: View, cause: AnomalyCause): Waits {
  const { kind, adapter, count, shops, shopId, orderId, openedAt, stakes, remedy } = cause
  const { why } = (anomalyKinds as Partial<Record<AnomalyKind, { why: string }>>)[kind] ?? { why: kind }
  const whose = shopId ?? counted(shops, 'shop')
  const isOne = count === 1 && shopId !== undefined && orderId !== undefined
  const [first = why] = why.split(/\. /)
  const sentence = isOne
    ? `${anomalySentence(cause).replace(/\.$/, '')} (order ${orderId})`
    : `${counted(count, 'order')}: ${first.charAt(0).toLowerCase()}${first.slice(1)}`
  const href = isOne ? view.payment(shopId, orderId) : view.at('/payments', { review: 1, shop: shopId })
  return {
    ...{ look: isBad(kind) ? 'bad' : 'wait', sentence, href, open: isOne ? 'Payment' : 'Orders' },
    facts: html`${whose} · ${mono(kind)} · ${adapter ?? 'unknown adapter'} · open for ${duration(view.now - openedAt)}`,
    stake: stakes.map(amountOf).join(', '),
    more: {
      id: `cause-${kind}-${openedAt}`,
      summary: 'What to do',
      content: html`<p>${prose(why)}</p><p><strong>${prose(remedy)}</strong></p>${isOne ? '' : closeAll(view, cause)}`,
    },
  }
}

function closeAll(view: View, cause: AnomalyCause) {
  const { kind, adapter = '', count, shopId: shop = '', openedAt: since, lastOpenedAt, stakes } = cause
  if (stakes.length > 0 && !view.may('refund')) return ''
  const hint = 'Stays with each of them. Your name and the time go into the audit trail.'
  const id = `note-${kind}-${since}`
  const fields = html`${hidden({ kind, adapter, shop, since, before: lastOpenedAt + 1 })}${field({ name: 'note', label: 'What was done', hint, isLong: true, id })}`
  return view.form('close', view.at('/anomalies/close'), `Close ${count} anomalies`, fields)
}
