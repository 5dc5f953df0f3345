// How does a customer choose a bank on a page of ours, pay there, and come back? With a list of banks that is asked for once an hour, a
// redirect, a signed return, and pushes about what banks confirm days later.
// Try it: node examples/payment-bank-choice/bank-service.ts, and beside it
// npm run -s purveyor -- dev --provider examples/payment-bank-choice/provider.ts
import { createProvider, html, type PageView, paymentAdapter, z } from 'purveyor'
import { type Bank, BankList } from './bank-list.ts'
import { Declined, isSigned, reportOf, type ServicePayment, serviceOf, serviceUrl } from './service.ts'
import { texts } from './texts.ts'

const day = 24 * 3_600_000

const settings = z.object({
  /** The shop's key for the service, and the secret that the service signs with. */
  key: z.string().default('test_key'),
  signingSecret: z.string().default('test_secret'),
})
type Context = Parameters<typeof serviceOf>[0] & { now(): number }

const list = new BankList()
const banksFor = (ctx: Context): Promise<readonly Bank[]> => list.get(serviceOf(ctx).banks, ctx.now())

function bankForm({ form, text }: PageView, banks: readonly Bank[], errors: Record<string, string> = {}) {
  if (banks.length === 0)
    return html`<p role="alert">${text('noBanks')}</p><a class="button" href="">${text('tryAgain')}</a>`
  const fields = form({ errors })
  const choices = banks.map(({ id, name, icon }) => ({ value: id, label: name, icon }))
  return fields.whole({ button: 'toBank', parts: [fields.radios({ name: 'bank', label: 'bank', choices })] })
}

/** The signature is the last of the query and covers all before it. */
const signedPart = (query: string) => /^(?<said>.*)&signature=(?<signature>[\da-f]{64})$/.exec(query)?.groups

export const bankChoice = paymentAdapter({
  name: 'banks',
  settings,
  idempotency: { ttl: day },
  privacy: { recipient: 'the bank service', purpose: 'to pay from a bank account' },

  methods: () => [{ id: 'bank', title: 'Pay with your bank', icon: 'onlinetransfer' }],

  async start({ amount, currency, orderNumber, idempotencyKey }, { returnUrl, pushUrl, ...ctx }) {
    const payment = await serviceOf(ctx).create(
      {
        amount: { value: amount, currency },
        description: `Order ${orderNumber}`,
        redirect_url: returnUrl,
        webhook_url: pushUrl,
      },
      idempotencyKey,
    )
    return { page: true, reference: payment.id, expiresAt: new Date(payment.expires_at) }
  },

  page: {
    texts,
    allow: { img: [new URL(serviceUrl).origin] },

    render: async (view, ctx) => bankForm(view, await banksFor(ctx).catch(() => [])),

    async submit({ bank = '' }, view, ctx) {
      const banks = await banksFor(ctx)
      const again = (why = 'chooseBank') => ({ again: bankForm(view, banks, { bank: why }) })
      if (!banks.some(({ id }) => id === bank)) return again()
      const service = serviceOf(ctx)
      try {
        return { redirect: (await service.choose(view.attempt.reference!, bank)).redirect_url }
      } catch (error) {
        // A choice moves no money.
        if (!(error instanceof Declined)) return again('noBanks')
        // The bank is closed, or another tab has paid.
        const payment = await service.get(view.attempt.reference!)
        return payment.status === 'open' ? again() : reportOf(payment)
      }
    },
  },

  returned: {
    verify({ query }, { attempt, settings: { signingSecret } }) {
      const { said = '', signature } = signedPart(query) ?? {}
      const isOurs = new URLSearchParams(said).get('payment') === attempt.reference
      return isOurs && isSigned(said, signature, signingSecret)
    },
    read({ query }) {
      const said = new URLSearchParams(signedPart(query)?.said)
      const status = said.get('status') as ServicePayment['status']
      // The bank refused, and another one may do it.
      if (status === 'open') return { again: true }
      return reportOf({ status, amount: { value: said.get('amount')!, currency: said.get('currency')! } })
    },
  },

  status: async ({ reference }, ctx) => reportOf(await serviceOf(ctx).get(reference!)),

  async cancel({ reference }, ctx) {
    const service = serviceOf(ctx)
    return reportOf(
      await service.cancel(reference!).catch((error: unknown) => {
        // A payment that a bank works on cannot be cancelled.
        if (error instanceof Declined) return service.get(reference!)
        throw error
      }),
    )
  },

  async refund({ reference }, { amount, currency, idempotencyKey }, ctx) {
    try {
      const refund = { amount: { value: String(amount), currency } }
      const { id } = await serviceOf(ctx).refund(reference!, refund, idempotencyKey)
      return { status: 'refunded', amount, currency, event: id }
    } catch (error) {
      if (error instanceof Declined) return { refused: error.message }
      throw error
    }
  },

  push: {
    verify: ({ body, headers }, { settings: { signingSecret } }) =>
      isSigned(body, headers['bank-signature'], signingSecret),
    read({ body }) {
      const payment = JSON.parse(body.toString()) as ServicePayment
      return { reference: payment.id, report: reportOf(payment) }
    },
  },
})

export default createProvider({ payments: bankChoice })
