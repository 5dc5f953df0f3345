import { html } from 'hono/html'
import { handlingOf, type Order, type OrderStatus, ownEnds, ownPagePath } from '../orders.ts'
import { cartTable, money } from './cart.ts'
import { messageBox } from './layout.ts'
import { dataTable } from './log.ts'
import type { Html, Page } from './page.ts'

const shown: Record<OrderStatus, [look: string, hint: string]> = {
  paid: ['good', 'Thank you. The shop handles the order now.'],
  pending: [
    'wait',
    'Thank you. The payment takes a little longer; this page updates itself when it is done.',
  ],
  expired: ['bad', 'The payment was not finished in time.'],
  cancelled: ['bad', 'The payment was cancelled.'],
  not_paid: ['', 'The provider has not reported the status of the payment.'],
}

/** The thank-you page. `message`: the reason why the payment was not started again. */
export const orderPage = (order: Order, message?: string): Page => ({
  title: `Order ${order.number} is ${order.status === 'not_paid' ? 'not paid yet' : order.status}`,
  content: html`${messageBox(message)}<div class="columns">
<div>
<section class="card"><div id="status" role="status" data-live>${orderStatus(order)}</div></section>
<section class="card"><h2>Handling</h2><div id="handling" data-live>${handled(order)}</div></section>
</div>
<section class="card"><h2>Your order</h2>${cartTable(order.lines, order.currency, ...(order.shipmentMethod ? [order.shipmentMethod] : []), order.paymentMethod)}</section>
</div>`,
  live: true,
})

/** The effect of the methods' flags and hidden data. */
function handled(order: Order): Html {
  const { status, paymentStatus, result, invoice } = handlingOf(order)
  const { shipmentMethod, paymentMethod, data } = order
  return html`<dl>
<dt>Order</dt><dd><code>${status}</code>${result ? html`, <code>${result}</code>` : ''}</dd>
<dt>Payment</dt><dd><code>${paymentStatus}</code></dd>
<dt>Invoice</dt><dd>${invoice === 'external' ? "the provider's own" : invoice === 'made' ? html`<a href="/invoices">made</a>` : invoice}</dd>
${fieldOf(order, 'Memo', 'memo')}${fieldOf(order, 'Tracking code', 'trackingCode')}
</dl>
${dataOf('Data of the shipping method', shipmentMethod?.data)}${dataOf('Data of the payment method', paymentMethod.data)}${dataOf('Filled in by the customer', data)}`
}

/** A field that a program wrote through the API. */
function fieldOf({ moved }: Order, title: string, name: string): Html | string {
  const value = moved?.fields?.[name]
  return typeof value === 'string' && value !== '' ? html`<dt>${title}</dt><dd>${value}</dd>` : ''
}

const dataOf = (title: string, data: Record<string, unknown> | undefined): Html | string =>
  data === undefined || Object.keys(data).length === 0
    ? ''
    : html`<details id="${title.replaceAll(' ', '-')}"><summary>${title}</summary><pre tabindex="0">${JSON.stringify(data, null, 2)}</pre></details>`

const orderStatus = (
  order: Order,
): Html => html`<p>${order.status === 'not_paid' && order.paymentUrl === undefined ? html`No payment was opened: the provider gave no address to pay at. The log says why.` : shown[order.status][1]}</p>
${
  order.status === 'cancelled' || order.status === 'expired' || order.status === 'not_paid'
    ? html`<form method="post" action="/orders/${order.id}/pay"><button>Pay again</button></form>`
    : ''
}
<p class="hint"><a href="/log?order=${order.id}">Calls between the shop and the provider</a></p>`

/** The page on the way to the payment. A page of our own: browsers may block a form's redirect to another host. */
export const toPaymentPage = (order: Order, url: string): Page => ({
  title: 'On to the payment',
  content: html`<p>Order ${order.number} over ${money(order.amounts.incl, order.currency)} is placed.</p>
<p><a class="button" href="${url}">Continue to the payment</a></p>`,
  goOn: url,
})

export const ordersPage = (orders: readonly Order[]): Page => ({
  title: 'Orders',
  live: true,
  content: html`<div id="orders" data-live>${orderTable(orders)}</div>`,
})

const orderTable = (orders: readonly Order[]): Html =>
  orders.length === 0
    ? html`<p>There are no orders yet. <a href="/checkout">Go through the checkout</a>.</p>`
    : html`<div class="card">${dataTable(
        'Orders',
        { Order: '', Payment: '', 'Order status': '', Shipping: '', Total: 'amount', Calls: '' },
        orders.toReversed().map(orderCells),
      )}</div>`

function orderCells(order: Order): (Html | string)[] {
  const { id, number, shipmentMethod, amounts, currency } = order
  const { status, result } = handlingOf(order)
  return [
    html`<a href="/orders/${id}">${number}</a>`,
    html`<span class="badge ${shown[order.status][0]}">${order.status.replace('_', ' ')}</span>`,
    html`<code>${result ?? status}</code>`,
    shipmentMethod?.title ?? 'none',
    money(amounts.incl, currency),
    html`<a href="/log?order=${id}" aria-label="Log of order ${number}">Log</a>`,
  ]
}

const words = { paid: 'Paid', pending: 'Pending', cancelled: 'Cancelled', expired: 'Expired' }

/** The page on which the customer ends a payment of the shop's own. Its buttons are those that scenarios press. */
export const ownPaymentPage = ({ id, number, amounts, currency }: Order): Page => ({
  title: `Pay ${money(amounts.incl, currency)}`,
  content: html`<section class="card"><p>Order ${number}. No payment service is asked: this shop ends the payment itself.</p>
<form method="post" action="${ownPagePath(id)}"><div class="row">${ownEnds.map(
    (end) =>
      html`<button name="end" value="${end}" ${end === 'paid' ? '' : html`class="quiet"`}>${words[end]}</button>`,
  )}</div></form></section>`,
})
