import { html, type PaymentAdapter, type Provider } from 'purveyor'

type Report = Provider['payments']['report']
const outcomes = ['paid', 'pending', 'expired', 'cancelled'] as const
const pendingFor = 5_000

/**
 * A payment page whose visitor chooses how the payment ends. It moves no money, so it offers itself in development only.
 * For the real thing let `start` call your payment service and return `{ redirect: url }`.
 */
export const testPayments = (report: Report): PaymentAdapter => ({
  name: 'test',

  methods: () => (inProduction() ? [] : [{ id: 'test', title: 'Test payment', icon: 'onlinetransfer' }]),

  start: () => (inProduction() ? { refused: 'a test moves no money' } : { page: true }),

  page: {
    render: () => html`
      <p>Choose how this test payment ends.</p>
      <form method="post">
        ${outcomes.map((outcome) => html`<button name="outcome" value="${outcome}">${titled(outcome)}</button>`)}
      </form>`,

    submit({ outcome }, { attempt }) {
      const { id: attemptId, amount, currency } = attempt
      const paid = { status: 'paid', amount, currency } as const
      if (outcome === 'paid') return paid
      if (outcome === 'expired' || outcome === 'cancelled') return { status: outcome }
      // A slow payment: the shop hears of its end through the webhook.
      setTimeout(() => report({ attemptId }, paid).catch(console.error), pendingFor).unref()
      return { status: 'pending' }
    },
  },
})

const inProduction = () => process.env.NODE_ENV === 'production'

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
