import { html } from 'hono/html'
import { paymentStatuses } from '../../contract/index.ts'
import { empty, head, pill } from '../../http/pages/parts/facts.ts'
import { filters } from '../../http/pages/parts/forms.ts'
import { table } from '../../http/pages/parts/table.ts'
import { listPayments, type PaymentList } from '../../payments/payment-views.ts'
import { capitalised } from '../../printable.ts'
import type { PaymentSummary } from '../../store.ts'
import type { PushRecord } from '../../store-port.ts'
import { box, hidden, select, textBox } from '../fields.ts'
import { amountOf, paging, pillsOf, section, webhookWords } from '../parts.ts'
import type { ConsoleParts, Page, View } from '../view.ts'

const statuses = Object.fromEntries(paymentStatuses.map((status) => [status, capitalised(status)]))
const spans = { '': 'Any time', '3600': 'Last hour', '86400': 'Last 24 hours', '604800': 'Last 7 days' }

/** Payments with the latest event first, or those that a text names. One that alone is named is opened. */
export async function paymentsPage(parts: ConsoleParts, view: View): Promise<Page | { to: string }> {
  const { cursor, ...query } = filterOf(view)
  const { q = '', status, shop, since, review } = query
  const list = await listed(parts, view)
  const [only] = list.payments
  const pushes = q === '' ? [] : await namedPushes(parts, q)
  if (q !== '' && only && list.payments.length === 1 && pushes.length === 0)
    return { to: view.payment(only.shop, only.orderId) }
  const older = list.cursor && view.at('/payments', { ...query, cursor: list.cursor })
  const title = q === '' ? 'Payments' : `Search: ${q}`
  const csv = html`<a class="button quiet small" href="${view.at('/payments.csv', query)}">Export CSV</a>`
  const fields = html`${q === '' ? '' : hidden({ q })}${select('status', 'Status', { '': 'Any', ...statuses }, status)}${textBox('shop', 'Shop', shop)}${select('since', 'Last event', spans, since)}${box('review', 'Needs review', review)}`
  const shown =
    list.payments.length === 1 ? '1 payment' : `${list.payments.length} payments, the latest event first`
  return {
    title,
    live: q === '' && cursor === undefined,
    content: html`${head(title, '', csv)}
${filters(view.at('/payments'), 'Filter payments', fields, view.at('/payments', { q }))}
<div id="list" data-live>${list.payments.length === 0 && pushes.length > 0 ? '' : rowsOf(view, list.payments, q)}${list.payments.length === 0 ? '' : paging(shown, older)}</div>
${pushes.length === 0 ? '' : section('Pushes that name it', pushTable(view, pushes))}`,
  }
}

/** An amount with its currency or with a comma, as people write it: `54.14`. */
const typedAmount = /^(?:\p{Sc}|[a-z]{3} )?\s*(\d+)[.,](\d{2})\s*(?:\p{Sc}|[a-z]{3})?$/iu

const filterOf = (view: View) => view.asked('q', 'status', 'shop', 'since', 'review', 'cursor')

function listed({ store }: ConsoleParts, view: View, limit = 50): Promise<PaymentList> {
  const { q, status, since, review, ...filter } = filterOf(view)
  return listPayments(store, {
    ...{ ...filter, limit, q: q?.replace(typedAmount, '$1.$2'), review: review !== undefined },
    status: paymentStatuses.find((one) => one === status),
    since: since && Object.hasOwn(spans, since) ? new Date(view.now - Number(since) * 1_000) : undefined,
  })
}

/** Pushes that call a payment so and matched none, and where there is none those whose key begins so. */
async function namedPushes({ store }: ConsoleParts, name: string): Promise<PushRecord[]> {
  const naming = await store.pushes({ name, limit: 20 })
  return naming.length > 0 || !/^[\w-]{8,43}$/.test(name) ? naming : store.pushes({ key: name, limit: 20 })
}

/** A push as the cells of a row. What an adapter says of one that it ignores may repeat what a customer typed. */
export const pushRow = (
  view: View,
  { key, adapter, shopId, outcome, receivedAt, detail = '' }: PushRecord,
) => ({
  cells: [
    html`${adapter} <small class="mono">${key.slice(0, 12)}</small>`,
    pill(
      outcome === 'processed' ? 'good' : outcome === 'given_up' ? 'bad' : 'wait',
      pushWords[outcome] ?? outcome,
    ),
    html`<a href="${view.shop(shopId)}">${shopId}</a>`,
    view.time(receivedAt),
  ],
  under: outcome === 'ignored' && !view.isAdmin ? '' : detail,
})

const pushWords: Readonly<Record<string, string>> = {
  waiting: 'Waits',
  processed: 'Processed',
  ignored: 'Ignored',
  unmatched: 'No payment',
  failed: 'Failed',
  given_up: 'Given up',
}

export function rowsOf(view: View, payments: readonly PaymentSummary[], q = '') {
  const none =
    q === ''
      ? empty('No payment is like this.', 'Clear the filter, or wait for the first one.')
      : empty(
          `No payment is named ${q}.`,
          'Searched: order, number, reference, attempt, code, event, idempotency key, page, anomaly, push and amount, in all shops.',
          'Request ids are not stored: the line "answered" in the log has the shop and the order of a request.',
        )
  const rows = payments.map((one) => ({
    opens: true,
    cells: [
      html`<a class="to num" href="${view.payment(one.shop, one.orderId)}">${amountOf(one)}</a>`,
      pillsOf(one),
      html`<span class="num">${one.orderNumber ?? one.orderId}${one.orderNumber === undefined ? '' : html` <small>${one.orderId}</small>`}</span>`,
      one.shop,
      `${one.adapter} ${one.method}`,
      one.webhook === 'owed' || one.webhook === 'dead'
        ? html`<strong class="due">${webhookWords[one.webhook]}</strong>`
        : webhookWords[one.webhook],
      view.time(one.lastAt),
    ],
  }))
  const columns = {
    Amount: 'first',
    Status: 'state',
    Order: '',
    Shop: 'plain',
    Method: 'wide',
    Webhook: '',
    'Last event': 'right',
  } as const
  return table('Payments', columns, rows, { none })
}

const pushTable = (view: View, pushes: readonly PushRecord[]) =>
  table(
    'Pushes',
    { Push: 'first', State: 'state', Shop: 'plain', Came: '' },
    pushes.map((push) => pushRow(view, push)),
  )

/** The rows of one list as CSV, at most 500. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export async function csvOf(parts: ConsoleParts, view: View): Promise<string> {
  const { payments } = await listed(parts, view, 500)
  const names = [
    ...(['shop', 'orderId', 'orderNumber', 'status', 'amount', 'currency'] as const),
    ...(['adapter', 'method', 'webhook', 'openedAt', 'lastAt'] as const),
  ]
  const cell = (value: unknown) => {
    const text = String(value ?? '').replace(/^(?=[=+@\t\r-])/, "'")
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const shown = (value: unknown) => (typeof value === 'number' ? new Date(value).toISOString() : value)
  const rows = payments.map((one) => names.map((name) => cell(shown(one[name]))))
  return [names, ...rows].map((row) => row.join(',')).join('\r\n')
}
