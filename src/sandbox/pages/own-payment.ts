import { html } from 'hono/html'
import type { Order } from '../orders.ts'
import { ownEnds, ownPagePath } from '../own-payment.ts'
import { money } from './cart.ts'
import type { Page } from './layout.ts'

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
