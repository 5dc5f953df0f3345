// How does a payment work that comes days later and has no page? A bank transfer: the customer gets a mail with a reference, the shop
// is answered at once without an address to go to, and statement.ts reports what has arrived.
// Without MAIL_URL, the address of a service that sends mail, no mail is sent, and the log of development says so.
// Try it: npm run -s purveyor -- dev --provider examples/payment-bank-transfer/provider.ts
import { createHash } from 'node:crypto'
import { createProvider, paymentAdapter, z } from 'purveyor'

const day = 24 * 3_600_000

/** Short enough to type, and the same for the same attempt: a repeated start sends the customer the same reference. */
const referenceOf = (key: string) =>
  `PV${createHash('sha256').update(key).digest('hex').slice(0, 10).toUpperCase()}`

export const bankTransfer = paymentAdapter({
  name: 'bank',
  needs: ['customer.email', 'customer.firstname'],
  settings: z.object({
    iban: z.string().default('NL00 TEST 0000 0000 00'),
    name: z.string().default('The shop'),
  }),
  privacy: {
    recipient: 'the mail service of the provider',
    purpose: 'to send the reference of the transfer',
  },
  idempotency: { ttl: 14 * day },

  methods: () => [{ id: 'transfer', title: 'Bank transfer', icon: 'banktransfer' }],

  async start({ amount, currency, orderNumber, idempotencyKey, customer }, { fetch, settings, log }) {
    const reference = referenceOf(idempotencyKey)
    const text = [
      `Please transfer ${amount} ${currency.toUpperCase()} to ${settings.name}, ${settings.iban}.`,
      `Write ${reference} as the description: it says that the payment is for order ${orderNumber}.`,
    ]
    const started = { later: true, reference, expiresAt: new Date(Date.now() + 14 * day) } as const
    const mail = process.env.MAIL_URL
    if (mail === undefined) {
      if (process.env.NODE_ENV === 'production') throw new Error('MAIL_URL is not set')
      log.warn({ reference }, 'MAIL_URL is not set: no mail with this reference was sent')
      return started
    }
    // A mail service with an HTTP interface; its key makes a repeated call send nothing twice.
    const sent = await fetch(mail, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ to: customer.email, subject: `Order ${orderNumber}`, text: text.join('\n') }),
    })
    if (!sent.ok) throw new Error(`the mail service answered ${sent.status}`)
    return started
  },
})

export default createProvider({ payments: bankTransfer })
