import { html } from 'hono/html'
import type { Order, OrderStatus } from '../shop.ts'
import { cartTable, money } from './cart.ts'
import { type Html, noticeBox, type Page } from './layout.ts'

export const statusWords: Record<OrderStatus, string> = {
  paid: 'is paid',
  pending: 'is pending',
  expired: 'is expired',
  cancelled: 'is cancelled',
  not_paid: 'is not paid yet',
}

const hints: Record<OrderStatus, string> = {
  paid: 'Thank you. The shop handles the order now.',
  pending: 'Thank you. The payment takes a little longer; this page changes by itself when it is done.',
  expired: 'The payment was not finished in time.',
  cancelled: 'The payment was cancelled.',
  not_paid: 'The provider has not said how the payment stands.',
}

/** Shows a changed status in place, without loading the page again. */
const follow = (id: number) => `
const events = new EventSource('/orders/${id}/events')
events.onmessage = ({ data }) => {
  const { title, html } = JSON.parse(data)
  document.title = title + ' - Sandbox shop'
  document.querySelector('h1').textContent = title
  document.getElementById('status').innerHTML = html
}`

export const orderTitle = (order: Order): string => `Order ${order.number} ${statusWords[order.status]}`

/** The thank-you page. `notice`: why the payment was not started again. */
export const orderPage = (order: Order, notice?: string): Page => ({
  title: orderTitle(order),
  content: html`${noticeBox(notice)}<div class="columns">
<section class="card"><div id="status" role="status">${orderStatus(order)}</div></section>
<section class="card"><h2>Your order</h2>${cartTable(...(order.shipmentMethod ? [order.shipmentMethod] : []), order.paymentMethod)}</section>
</div>`,
  script: follow(order.id),
})

export const orderStatus = (order: Order): Html => html`<p>${hints[order.status]}</p>
${
  order.status === 'cancelled' || order.status === 'expired' || order.status === 'not_paid'
    ? html`<form method="post" action="/orders/${order.id}/pay"><button>Pay again</button></form>`
    : ''
}
<p class="hint"><a href="/log?order=${order.id}">What the shop and the provider said to each other</a></p>`

/** On the way to the payment. A page of our own: browsers may block a form's redirect to another host. */
export const toPaymentPage = (order: Order, url: string): Page => ({
  title: 'On to the payment',
  content: html`<p>Order ${order.number} over ${money(order.amounts.incl)} is placed.</p>
<p><a class="button" href="${url}">Continue to the payment</a></p>`,
  goOn: url,
})

export const ordersPage = (orders: readonly Order[]): Page => ({
  title: 'Orders',
  content:
    orders.length === 0
      ? html`<p>There are no orders yet. <a href="/checkout">Go through the checkout</a>.</p>`
      : html`<div class="card scroll"><table>
<thead><tr><th scope="col">Order</th><th scope="col">Payment</th><th scope="col">Shipping</th><th scope="col" class="amount">Total</th></tr></thead>
<tbody>${orders.toReversed().map(
          (order) => html`<tr><td><a href="/orders/${order.id}">${order.number}</a></td>
<td>${statusWords[order.status]}</td><td>${order.shipmentMethod?.title ?? 'none'}</td><td class="amount">${money(order.amounts.incl)}</td></tr>`,
        )}</tbody></table></div>`,
})
