import { html } from 'hono/html'
import type { Charge, ChargeStatus } from '../charges.ts'
import type { Invoice } from '../invoices.ts'
import { money } from './cart.ts'
import type { Html, Page } from './layout.ts'
import { dataTable } from './table.ts'

const words: Record<ChargeStatus, [text: string, look: string]> = {
  pending: ['waits for you', 'wait'],
  active: ['active', 'good'],
  cancelled: ['cancelled', 'bad'],
  expired: ['expired', 'bad'],
}

const per = ({ type, price }: Charge) => `${money(price)} ${type === 'recurring' ? 'a month' : 'once'}`

export const chargesPage = (charges: Charge[]): Page => ({
  title: 'Charges',
  live: true,
  content: html`<p class="hint">Charges by apps to the merchant. Nothing is billed before it is approved.</p>
<div id="charges" data-live>${
    charges.length === 0
      ? html`<p>There are no charges. Apps create them through the <a href="/services">API</a>.</p>`
      : html`<div class="card">${dataTable('Charges', { Charge: '', Price: '', Status: '', Next: '' }, charges.toReversed().map(chargeCells))}</div>`
  }</div>`,
})

function chargeCells(charge: Charge): (Html | string)[] {
  const [text, look] = words[charge.status]
  const { id, title, token, upgradeFrom, status } = charge
  return [
    html`${title}${upgradeFrom === undefined ? '' : html` <small>instead of charge ${upgradeFrom}</small>`}`,
    per(charge),
    html`<span class="badge ${look}">${text}</span>`,
    status === 'pending'
      ? html`<a href="/charges/${id}/approval?token=${token}" aria-label="Decide on ${title}">Decide</a>`
      : '',
  ]
}

export const approvalPage = (charge: Charge, app: string): Page => ({
  title: charge.status === 'pending' ? 'Approve this charge?' : `This charge is ${charge.status}`,
  content: html`<section class="card"><h2>${charge.title}</h2>
<p>The app at <strong>${app}</strong> asks for <strong>${per(charge)}</strong>.
${charge.upgradeFrom === undefined ? '' : `It replaces charge ${charge.upgradeFrom}, which stays active until you approve.`}</p>
${
  charge.status === 'pending'
    ? html`<form method="post" action="/charges/${charge.id}/approval?token=${charge.token}"><div class="row">
<button name="decision" value="approve">Approve</button><button class="quiet" name="decision" value="decline">Decline</button></div></form>`
    : html`<p><a href="/charges">All charges</a></p>`
}</section>`,
})

/** The page on the way back to the app. A page of our own: browsers may block a form's redirect to another host. */
export const backToAppPage = (charge: Charge, callbackUrl: string): Page => ({
  title: `The charge is ${charge.status}`,
  content: html`<p><a class="button" href="${callbackUrl}">Back to the app</a></p>`,
  goOn: callbackUrl,
})

export const invoicesPage = (invoices: Invoice[]): Page => ({
  title: 'Invoices',
  live: true,
  content: html`<div id="invoices" data-live class="columns">
<section class="card"><h2>To customers</h2>${invoiceTable(
    'Invoices to customers',
    invoices.filter((invoice) => invoice.for === 'customer'),
    'None yet. An order gets one when it is confirmed, unless its payment method sends its own.',
  )}</section>
<section class="card"><h2>To the merchant</h2>${invoiceTable(
    'Invoices to the merchant',
    invoices.filter((invoice) => invoice.for !== 'customer'),
    html`None yet. Active charges are billed at the end of each month: <a href="/switches">move the clock</a>.`,
  )}</section></div>`,
})

const invoiceTable = (label: string, invoices: Invoice[], none: Html | string): Html =>
  invoices.length === 0
    ? html`<p class="hint">${none}</p>`
    : dataTable(
        label,
        { Invoice: 'whole', Date: 'whole', For: '', Total: 'amount' },
        invoices
          .toReversed()
          .map(({ number, createdAt, lines, total, status }) => [
            html`${number}<br><span class="badge ${status === 'paid' ? 'good' : ''}">${status.replace('_', ' ')}</span>`,
            new Date(createdAt).toISOString().slice(0, 10),
            html`${lines.map(({ title, amount }) => html`${title}: ${money(amount)}<br>`)}`,
            money(total),
          ]),
      )
