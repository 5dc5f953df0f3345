import { html, paymentAdapter } from 'purveyor'
import texts from './texts.json' with { type: 'json' }

const outcomes = ['paid', 'pending', 'expired', 'cancelled'] as const
const pendingFor = 5_000

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

    render: ({ text }) => html`
      <p class="hint">${text('choose')}</p>
      <form method="post">
        ${outcomes.map(
          (outcome) =>
            html`<button name="outcome" value="${outcome}" class="${outcome === 'paid' ? '' : 'quiet'}">${text(outcome)}</button>`,
        )}
      </form>`,

    submit({ outcome }, { attempt }, ctx) {
      const { amount, currency } = attempt
      const paid = { status: 'paid', amount, currency } as const
      if (outcome === 'paid') return paid
      if (outcome === 'expired' || outcome === 'cancelled') return { status: outcome }
      // A slow payment: the webhook informs the shop of its end.
      setTimeout(() => ctx.report(paid).catch(console.error), pendingFor).unref()
      return { status: 'pending' }
    },
  },
})
