import type { ServerResponse } from 'node:http'
import { html, memoryStore, type PaymentAdapter } from '../../../src/index.ts'
import { listening } from '../../listening.ts'
import { checkout, payment } from '../messages.ts'
import { postJson, statusOf } from '../post.ts'

const form = (alert = '') => html`
  ${alert && html`<p role="alert">${alert}</p>`}
  <form method="post">
    <label>Code <input name="code" autocomplete="one-time-code" required></label>
    <button name="outcome" value="pay">Pay</button>
    <button class="quiet" name="outcome" value="cancel" formnovalidate>Cancel</button>
  </form>`

/** A payment page that takes the code 1234. */
export const codePayments: PaymentAdapter = {
  name: 'code',
  methods: () => ['code', 'other'].map((id) => ({ id, title: id })),
  start: () => ({ page: true }),
  page: {
    render: () => form(),
    submit({ code, outcome }, { attempt: { amount, currency } }) {
      if (outcome === 'fail') throw new Error('the page has a fault')
      if (outcome === 'bank') return { redirect: 'https://bank.example/acs?a=1&b=2' }
      if (outcome === 'cancel') return { status: 'cancelled' }
      if (outcome === 'expired' || outcome === 'pending') return { status: outcome }
      if (outcome === 'slow') return new Promise(() => {})
      return code === '1234' ? { status: 'paid', amount, currency } : { again: form('Wrong code') }
    },
  },
}

export const page = (res: ServerResponse, body: string) =>
  res.setHeader('content-type', 'text/html').end(`<!doctype html><title>Shop</title>${body}`)

interface Opening {
  redirectUrl?: string
  /** The order's. */
  language?: string
  order?: object
  payments?: object
}

/** A provider with one payment under way. */
export async function openPayment({ redirectUrl, language, order, payments }: Opening) {
  const store = memoryStore()
  const { provider, endpoint } = await listening({ store, payments: { adapters: codePayments, ...payments } })
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await postJson(`${endpoint}/${path}`, body)
    return (await answer.json()) as Record<string, string>
  }
  const usual = payment({ method: 'code' })
  const started = {
    ...usual,
    order: { ...usual.order, ...order },
    ...(redirectUrl && { redirect_url: redirectUrl }),
    ...(language && { shop: { ...checkout.shop, language } }),
  }
  const { payment_url } = await post('payment', started)
  const status = () => statusOf(endpoint, String(started.order.id))
  /** The customer chooses another way to pay, in the shop. */
  const replace = () => post('payment', { ...started, payment_method: { id: 'code', method: 'other' } })
  return { provider, url: payment_url!, origin: new URL(endpoint).origin, status, replace, store }
}
