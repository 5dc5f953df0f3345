// How does the API of a real payment service fit in? Stripe Checkout, through Stripe's own SDK: its page, its signed pushes, refunds,
// amounts in the smallest unit, and a start that is resumed with the same idempotency key.
// Try it, with STRIPE_KEY and STRIPE_WEBHOOK_SECRET set: npm run -s purveyor -- dev --provider examples/payment-psp/provider.ts
import {
  createProvider,
  fromMinor,
  type MoneyReport,
  type PaymentReport,
  paymentAdapter,
  toMinor,
} from 'purveyor'
import Stripe from 'stripe'

const key = process.env.STRIPE_KEY ?? 'sk_test_none'
const signingSecret = process.env.STRIPE_WEBHOOK_SECRET ?? 'whsec_none'
const { hostname, port, protocol } = new URL(process.env.STRIPE_URL ?? 'https://api.stripe.com')

const stripe = new Stripe(key, {
  host: hostname,
  protocol: protocol === 'http:' ? 'http' : 'https',
  ...(port !== '' && { port }),
  // Shorter than the shop waits; a repeat is the shop's, with the same idempotency key.
  timeout: 3_500,
  maxNetworkRetries: 0,
  telemetry: false,
})

const hour = 3_600_000
/** Stripe's exceptions from the digits of ISO 4217. */
const units = {
  digits: { isk: 2, ugx: 2, mga: 0 },
  multiples: { isk: 100, ugx: 100, kwd: 10, bhd: 10, jod: 10, omr: 10, tnd: 10 },
}

/**
 * The report of a session. A complete session that is not paid is in progress, for days with SEPA direct debit, until its payment intent
 * needs another payment method.
 */
function reportOf(session: Stripe.Checkout.Session): PaymentReport {
  const { status, payment_status, payment_intent, amount_total, currency, livemode } = session
  if (payment_status === 'paid') {
    const amount = fromMinor(amount_total ?? 0, currency!, units)
    return { status: 'paid', amount, currency: currency!, mode: livemode ? 'live' : 'test' }
  }
  if (status !== 'complete') return { status: status === 'expired' ? 'expired' : 'open' }
  const failed = typeof payment_intent === 'object' && payment_intent?.status === 'requires_payment_method'
  return { status: failed ? 'failed' : 'pending' }
}

/** The events that move money after it was paid. Each names a payment intent, and the refund or dispute by its id. */
const movements: Record<string, MoneyReport['status']> = {
  'refund.created': 'refunded',
  'refund.failed': 'refund_failed',
  'charge.dispute.funds_withdrawn': 'charged_back',
  'charge.dispute.funds_reinstated': 'chargeback_won',
}

const retrieve = (reference: string) =>
  stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] })

export const psp = paymentAdapter({
  name: 'stripe',
  mode: key.startsWith('sk_live_') ? 'live' : 'test',
  idempotency: { ttl: 24 * hour },
  privacy: { recipient: 'Stripe Payments Europe Ltd, Dublin, Ireland', purpose: 'to take the payment' },

  methods: () => [{ id: 'checkout', title: 'Card, wallet or bank', icon: 'onlinetransfer' }],

  async start({ id, orderNumber, amount, currency, idempotencyKey }, { returnUrl }) {
    const product = {
      currency,
      unit_amount: toMinor(amount, currency, units),
      product_data: { name: `Order ${orderNumber}` },
    }
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [{ quantity: 1, price_data: product }],
        client_reference_id: id,
        success_url: returnUrl,
        cancel_url: returnUrl,
      },
      { idempotencyKey },
    )
    if (!session.url) return { refused: 'Stripe has no page for this payment' }
    return { redirect: session.url, reference: session.id, expiresAt: new Date(session.expires_at * 1000) }
  },

  status: async ({ reference }) => reportOf(await retrieve(reference!)),

  async cancel({ reference }) {
    const session = await retrieve(reference!)
    return reportOf(session.status === 'open' ? await stripe.checkout.sessions.expire(reference!) : session)
  },

  push: {
    verify({ body, headers }) {
      try {
        stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', signingSecret)
        return true
      } catch {
        return false
      }
    },

    async read({ body }) {
      const { type, data } = JSON.parse(body.toString()) as Stripe.Event
      if (type === 'checkout.session.async_payment_failed') {
        return { reference: (data.object as Stripe.Checkout.Session).id, report: { status: 'failed' } }
      }
      if (type.startsWith('checkout.session.')) {
        const session = data.object as Stripe.Checkout.Session
        return { reference: session.id, report: reportOf(session) }
      }
      const status = movements[type]
      if (!status) return []
      const moved = data.object as Stripe.Refund | Stripe.Dispute
      const { currency } = moved
      const amount = fromMinor(moved.amount, currency, units)
      const report = { status, amount, currency, event: moved.id }
      // It names no session, so that has to be looked up.
      const { data: sessions } = await stripe.checkout.sessions.list({
        payment_intent: String(moved.payment_intent),
      })
      return sessions.map(({ id: reference }) => ({ reference, report }))
    },
  },
})

export default createProvider({ payments: psp })
