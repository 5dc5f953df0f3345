import { html } from 'hono/html'
import { empty, facts, json, note, pill } from '../../http/pages/parts/facts.ts'
import type { Content, Html } from '../../http/pages/parts/frame.ts'
import { table } from '../../http/pages/parts/table.ts'
import { time } from '../../printable.ts'
import { handlingOf, type Order, type OrderStatus, ownEnds, ownPagePath } from '../orders.ts'
import { cartTable, money } from './cart.ts'
import type { Page } from './layout.ts'

/** Each status of a payment: its look, its word, and the end of the sentence "Order 1 ...". */
const shown = {
  paid: ['good', 'Paid', 'is paid'],
  pending: ['wait', 'Pending', 'is pending'],
  expired: ['', 'Expired', 'is not paid: the payment has expired'],
  cancelled: ['', 'Cancelled', 'is not paid: the payment was cancelled'],
  not_paid: ['', 'Not paid', 'is not paid yet'],
} as const satisfies Record<OrderStatus, unknown>

const titleOf = ({ number, status }: Order) =>
  `${status === 'paid' || status === 'pending' ? 'Thank you. ' : ''}Order ${number} ${shown[status][2]}`

/** The thank-you page. `message`: the reason why the payment was not started again. */
export const orderPage = (order: Order, message?: string): Page => ({
  title: titleOf(order),
  live: true,
  alert: message === undefined ? undefined : { look: 'bad', words: message },
  front: {
    content: html`<div class="sheet" id="status" role="status" data-live>${statusOf(order)}</div>
<section class="sheet" aria-labelledby="order"><h2 id="order">Your order</h2>${cartTable(order.lines, order.currency, ...(order.shipmentMethod ? [order.shipmentMethod] : []), order.paymentMethod)}</section>`,
    below: html`<p class="row"><a href="/log?order=${order.id}">Calls between the shop and the provider</a></p>
<div id="facts" data-live><details id="known"><summary>What the shop knows of this order</summary>${known(order)}</details></div>`,
  },
})

function statusOf(order: Order): Html {
  const { id, status, paymentUrl, amounts, currency } = order
  const sum = money(amounts.incl, currency)
  const next = nextOf(order)
  const said: Record<OrderStatus, string> = {
    paid: `The shop has received ${sum}. ${next}`,
    pending: `The payment of ${sum} takes longer. You need not pay again: this page changes when it arrives.`,
    expired:
      'The payment was not finished in time, and no money moved. The shop keeps the order: you can still pay it.',
    cancelled: 'You cancelled, and no money moved. The shop keeps the order: you can still pay it.',
    not_paid:
      paymentUrl === undefined
        ? 'No payment was opened, so nothing was paid. The log says why.'
        : `The shop has not heard whether you paid. ${next}`,
  }
  const again = status !== 'paid' && status !== 'pending'
  return html`<p>${said[status]}</p>${again ? html`<form method="post" action="/orders/${id}/pay"><div class="row"><button id="again">Pay ${sum}</button></div></form>` : ''}`
}

function nextOf(order: Order): string {
  const { status, result } = handlingOf(order)
  const by = order.shipmentMethod === undefined ? '' : ` with “${order.shipmentMethod.title}”`
  if (result === 'waiting_for_pickup') return 'The order waits for you to pick it up.'
  if (result === 'shipped') return `The order is on its way${by}.`
  if (status === 'processing_awaiting_shipment') return `Next, the shop packs the order and ships it${by}.`
  return order.status === 'paid' ? '' : 'You can pay it again.'
}

/** The effect of the methods' flags and hidden data, in the words of the API. */
function known(order: Order): Html {
  const { status, paymentStatus, result, invoice } = handlingOf(order)
  const { shipmentMethod, paymentMethod, data, moved } = order
  const written = (name: string) => {
    const value = moved?.fields?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const word = (text: string) => html`<code>${text}</code>`
  return html`${facts({
    Order: result === undefined ? word(status) : html`${word(status)}, ${word(result)}`,
    Payment: word(paymentStatus),
    'Answer of the provider': word(order.status),
    Invoice:
      invoice === 'external'
        ? "the provider's own"
        : invoice === 'made'
          ? html`<a href="/invoices">made</a>`
          : invoice,
    Memo: written('memo'),
    'Tracking code': written('trackingCode'),
  })}${dataOf('Data of the shipping method', shipmentMethod?.data)}${dataOf('Data of the payment method', paymentMethod.data)}${dataOf('Filled in by the customer', data)}`
}

const dataOf = (title: string, data: Record<string, unknown> | undefined): Html | string =>
  data === undefined || Object.keys(data).length === 0
    ? ''
    : html`<h2>${title}</h2>${json(JSON.stringify(data))}`

/** The page on the way to the payment. A page of our own: browsers may block a form's redirect to another host. */
export const toPaymentPage = (order: Order, url: string): Page => ({
  title: 'On to the payment',
  goOn: url,
  front: {
    content: html`<div class="sheet"><p>Order ${order.number} over ${money(order.amounts.incl, order.currency)} is placed.</p>
<p><a class="button" href="${url}">Continue to the payment</a></p></div>`,
  },
})

export const ordersPage = (orders: readonly Order[]): Page => ({
  title: 'Orders',
  facts: 'Every order of this shop with the status of its payment, newest first.',
  live: true,
  content: html`<div id="orders" data-live>${table(
    'Orders',
    {
      ...({ Order: 'first', Payment: 'state', Placed: 'wide', 'Order status': 'text' } as const),
      ...({ Shipping: 'text', Total: 'right', Calls: '' } as const),
    },
    orders.toReversed().map(orderCells),
    {
      none: empty(
        'There are no orders yet.',
        html`<a href="/checkout">Go through the checkout</a> to place the first one.`,
      ),
    },
  )}</div>`,
})

function orderCells(order: Order): Content[] {
  const { id, number, status, shipmentMethod, amounts, currency, createdAt } = order
  const handling = handlingOf(order)
  return [
    html`<a href="/orders/${id}">${number}</a>`,
    pill(shown[status][0], shown[status][1]),
    html`<span class="whole">${time(createdAt).slice(0, 16)}</span>`,
    html`<code>${handling.result ?? handling.status}</code>`,
    shipmentMethod?.title ?? 'none',
    money(amounts.incl, currency),
    html`<a href="/log?order=${id}" aria-label="Log of order ${number}">Log</a>`,
  ]
}

/** The page on which the customer ends a payment of the shop's own. Its buttons are those that scenarios press. */
export const ownPaymentPage = ({ id, number, amounts, currency }: Order): Page => ({
  title: `Pay ${money(amounts.incl, currency)}`,
  front: {
    content: html`<div class="sheet"><p>Order ${number}</p>${note('wait', 'Test: no money moves', 'No payment service is registered, so you choose how the payment ends.')}
<form method="post" action="${ownPagePath(id)}"><div class="row">${ownEnds.map(
      (end) =>
        html`<button name="end" value="${end}"${end === 'paid' ? '' : html` class="quiet"`}>${shown[end][1]}</button>`,
    )}</div></form></div>`,
  },
})
