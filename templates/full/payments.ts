import { html, type PageView, paymentAdapter } from 'purveyor'
import texts from './texts.json' with { type: 'json' }

const otherEnds = ['pending', 'declined', 'expired', 'cancelled', 'unknown'] as const

const formOf = ({ text }: PageView, alert?: string) => html`
  ${alert && html`<p role="alert">${text(alert)}</p>`}
  <form method="post">
    <button name="outcome" value="paid">${text('paid')}</button>
    <p class="hint">${text('choose')}</p>
    <div class="pair">
      ${otherEnds.map((end) => html`<button name="outcome" value="${end}" class="quiet">${text(end)}</button>`)}
    </div>
  </form>`

/**
 * A payment page whose visitor chooses how the payment ends. It moves no money, so production leaves it out (`developmentOnly`).
 * For the real thing let `start` call your payment service and return `{ redirect: url }`, or put its fields on this page.
 */
export const testPayments = paymentAdapter({
  name: 'test',
  developmentOnly: true,

  methods: () => [{ id: 'test', title: 'Test payment', icon: 'onlinetransfer' }],

  start: () => ({ page: true }),

  page: {
    texts,

    render: (view) => formOf(view),

    submit({ outcome }, view, ctx) {
      const { amount, currency } = view.attempt
      const paid = { status: 'paid', amount, currency } as const
      if (outcome === 'paid') return paid
      if (outcome === 'expired' || outcome === 'cancelled') return { status: outcome }
      if (outcome === 'declined') return { again: formOf(view, 'wasDeclined') }
      // Code that does not know whether money moved throws: the page says not to pay again.
      if (outcome === 'unknown') throw new Error('the payment service did not answer')
      if (outcome !== 'pending') return { again: formOf(view, 'choose') }
      // A slow payment: the webhook informs the shop of its end.
      setTimeout(() => ctx.report(paid).catch(console.error), 5_000).unref()
      return { status: 'pending' }
    },
  },
})
