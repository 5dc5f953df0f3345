// How does a payment page with hosted card fields work, with 3-D Secure? The fields and the bank's page come from other origins, which `allow`
// names; the card's number never reaches this process. The acquirer holds one payment per attempt, which it charges once at most.
//
// For a real acquirer change:
// - `allow` and card.js: its origins, and its own way to show fields and make a token. Keep the rules of this card.js: a second click does
//   nothing, `data-ready` is set once the fields are there, and a form without fields goes out, because its answer says what to do.
// - `reportOf` and `textOf`: its states and reasons. A state that you do not know is `open` or `pending`, never `paid`.
// - `settings`: without defaults. Each shop has its own keys.
// - `push`: its signed pushes, as in examples/payment-psp. Without them `status` finds a late outcome.
// Keep the idempotency keys: one for the payment, and one for each card that is tried.
import {
  type FormState,
  fromMinor,
  html,
  type PageContent,
  type PageView,
  type PaymentContext,
  type PaymentReport,
  paymentAdapter,
  type Submitted,
  toMinor,
  z,
} from 'purveyor'
import { texts } from './texts.ts'

const hour = 3_600_000

/** The keys of each shop's account. The pretend acquirer takes any; an adapter for a real one has no default. */
const settings = z.object({
  publicKey: z.string().startsWith('pk_').default('pk_test_demo'),
  secretKey: z.string().startsWith('sk_').default('sk_test_demo'),
})
type Context = PaymentContext<z.infer<typeof settings>>

/** The members of a payment at the acquirer that the adapter reads. Amounts are in the smallest unit. */
interface Intent {
  id: string
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  amount_received: number
  amount_refunded: number
  currency: string
  livemode: boolean
  next_action: { type: 'redirect_to_url' | 'challenge_frame'; url: string } | null
  last_payment_error: CardError | null
  cancellation_reason: string | null
}
interface CardError {
  code: string
  decline_code?: string
}
/** `payment_intent` is there where the payment has gone further than the call knew. */
type Refusal = CardError & { payment_intent?: Intent }

function reportOf(intent: Intent): PaymentReport {
  const { status, currency, livemode, last_payment_error: error, cancellation_reason: reason } = intent
  if (status === 'succeeded') {
    const received = fromMinor(intent.amount_received, currency)
    const refunded = fromMinor(intent.amount_refunded, currency)
    return { status: 'paid', totals: { received, refunded }, currency, mode: livemode ? 'live' : 'test' }
  }
  if (status === 'processing') return { status: 'pending' }
  if (status === 'canceled')
    return { status: reason === 'expired' ? 'expired' : 'cancelled', detail: reason ?? '' }
  return { status: 'open', detail: error?.code ?? status }
}

const textOf = ({ code, decline_code }: CardError): string => {
  // The token of a card that this shop does not have.
  if (code === 'resource_missing') return 'enterAgain'
  if (code === 'payment_intent_authentication_failure') return 'unconfirmed'
  return decline_code === 'insufficient_funds' ? 'funds' : 'declined'
}

const intentAt = (reference = '') => `payment_intents/${encodeURIComponent(reference)}`

/** The calls to the acquirer whose origin is `api`. */
function acquirerAt(api: string) {
  /** Calls the acquirer. A refusal is an answer; anything else is an error, and its outcome unknown. */
  async function ask<T = Intent>(
    { fetch, settings: { secretKey } }: Context,
    path: string,
    post?: { body: object; key: string },
  ): Promise<{ is: T; error?: undefined } | { is?: undefined; error: Refusal }> {
    const answer = await fetch(`${api}/v1/${path}`, {
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(post && { 'content-type': 'application/json', 'idempotency-key': post.key }),
      },
      ...(post && { method: 'POST', body: JSON.stringify(post.body) }),
    })
    if (answer.ok) return { is: (await answer.json()) as T }
    if (answer.status === 402 || answer.status === 400 || answer.status === 404)
      return (await answer.json()) as { error: Refusal }
    throw new Error(`the acquirer answered ${answer.status}`)
  }

  async function find(reference: string | undefined, ctx: Context): Promise<Intent> {
    const { is, error } = await ask(ctx, intentAt(reference))
    if (error) throw new Error(`the acquirer answered ${error.code}`)
    return is
  }

  return { ask, find }
}

/** `refused` is why the acquirer or the bank said no: the key of a text. */
function cardForm(
  api: string,
  view: PageView,
  { settings: { publicKey } }: Context,
  { refused, ...state }: FormState & { refused?: string | undefined } = {},
): PageContent {
  const form = view.form(state)
  const alert = refused === undefined ? '' : html`<p role="alert">${view.text(refused)}</p>`
  return html`<script src="${api}/v1/fields.js" defer></script>${alert}${form.whole({
    button: view.text('pay', { amount: view.amount }),
    parts: [
      form.field({ name: 'email', kind: 'email', hint: 'receipt', required: false }),
      form.hosted({ name: 'card', label: 'card', rows: 2, data: { key: publicKey } }),
      html`<input type="hidden" name="card">`,
    ],
  })}`
}

/** The bank's page in a frame. Where frames or scripts are blocked, it opens by itself, and comes back by itself. */
const challenge = (view: PageView, url: string, returnUrl: string): PageContent => html`
  <p>${view.text('confirm')}</p>
  <iframe id="challenge" src="${url}" title="${view.text('confirm')}" height="320" data-back="${returnUrl}"></iframe>
  <p><a href="${url}">${view.text('ownPage')}</a></p>`

/** `api` is the acquirer's origin, `bank` the one its challenges come from. */
export function cardFields({ api, bank }: { api: string; bank: string }) {
  const { ask, find } = acquirerAt(api)

  return paymentAdapter({
    name: 'cards',
    settings,
    mode: ({ secretKey }) => (secretKey.startsWith('sk_live_') ? 'live' : 'test'),
    idempotency: { ttl: 24 * hour },
    privacy: { recipient: 'the acquirer', purpose: 'to take the payment, and to send a receipt' },

    methods: () => [{ id: 'card', title: 'Card', icon: 'creditcard' }],

    async start({ amount, currency, orderNumber, idempotencyKey }, ctx) {
      const body = { amount: toMinor(amount, currency), currency, description: `Order ${orderNumber}` }
      const { is, error } = await ask(ctx, 'payment_intents', { body, key: idempotencyKey })
      return error ? { refused: error.code } : { page: true, reference: is.id }
    },

    page: {
      allow: { script: [api], frame: [api, bank] },
      assets: new URL('./assets/', import.meta.url),
      texts,

      async render(view, ctx) {
        const { last_payment_error: error } = await find(view.attempt.reference, ctx)
        return cardForm(api, view, ctx, { refused: error ? textOf(error) : undefined })
      },

      async submit({ card = '', email = '' }, view, ctx): Promise<Submitted> {
        const again = (why: Pick<FormState, 'errors'> & { refused?: string }) => ({
          again: cardForm(api, view, ctx, { values: { email }, ...why }),
        })
        if (card === '') return again({ errors: { card: 'hostedMissing' } })
        if (!/^pm_\w+$/.test(card)) return again({ refused: 'enterAgain' })
        const { attempt } = view
        const { is, error } = await ask(ctx, `${intentAt(attempt.reference)}/confirm`, {
          body: { payment_method: card, receipt_email: email || undefined, return_url: ctx.returnUrl },
          // Another card is another call; the same card again gets the same answer.
          key: `${attempt.idempotencyKey}:${card}`,
        })
        const intent = is ?? error.payment_intent
        if (!intent) return again({ refused: textOf(error!) })
        const { next_action: next } = intent
        if (next?.type === 'redirect_to_url') return { redirect: next.url }
        if (next) return { again: challenge(view, next.url, ctx.returnUrl), step: true }
        const report = reportOf(intent)
        return report.status === 'open' ? again({ refused: 'declined' }) : report
      },
    },

    // Anybody can write an address: only the acquirer's own answer counts.
    returned: {
      confirm: 'status',
      read({ query, body }) {
        const results = new URLSearchParams(query || body.toString()).getAll('redirect_status')
        return results.length === 1 && results[0] === 'failed' ? { again: true } : undefined
      },
    },

    status: async ({ reference }, ctx) => reportOf(await find(reference, ctx)),

    async cancel({ reference, idempotencyKey }, ctx) {
      const key = `${idempotencyKey}:cancel`
      const { is } = await ask(ctx, `${intentAt(reference)}/cancel`, { body: {}, key })
      return reportOf(is ?? (await find(reference, ctx)))
    },

    async refund({ reference }, { amount, currency, idempotencyKey: key }, ctx) {
      const body = { payment_intent: reference, amount: toMinor(amount, currency) }
      const { is, error } = await ask<{ id: string }>(ctx, 'refunds', { body, key })
      return error ? { refused: error.code } : { status: 'refunded', amount, currency, event: is.id }
    },
  })
}
