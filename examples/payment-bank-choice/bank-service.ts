// The bank service that provider.ts talks to, on this machine: payments, the banks' own pages, signed returns and pushes. No money moves.
// Run it: node examples/payment-bank-choice/bank-service.ts
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Status = 'open' | 'pending' | 'paid' | 'canceled' | 'expired' | 'failed'
interface Amount {
  value: string
  currency: string
}
interface Payment {
  id: string
  status: Status
  amount: Amount
  description: string
  expires_at: string
  redirect_url: string
  webhook_url: string
  refunded: number
  /** The one session at a bank that may still confirm it. */
  session?: { id: string; bank: string }
}

const banks = { marigold: 'Marigold Bank', harbour: 'Harbour Savings', juniper: 'Juniper & Sons' } as const
const [hour, secret] = [3_600_000, 'test_secret']
const sign = (said: string) => createHmac('sha256', secret).update(said).digest('hex')
const escaped = (words: string) => words.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A pretend service. `ledger` holds what its customers were charged, as their banks would. */
export class BankService {
  readonly payments = new Map<string, Payment>()
  readonly ledger: { payment: string; bank: string; value: string }[] = []
  /** Calls of its API, such as `GET /banks`. */
  readonly calls: string[] = []
  isDown = false
  url = ''
  readonly #sessions = new Map<string, Payment>()
  readonly #byKey = new Map<string, object>()
  readonly #server = createServer((req, res) => void this.#answer(req, res))

  async listen(port = 0): Promise<this> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** Ends a payment that a bank works on, as days later, and pushes it. */
  async settle(id: string, status: 'paid' | 'failed'): Promise<void> {
    const payment = this.payments.get(id)!
    payment.status = status
    if (status === 'paid') this.#charge(payment)
    await this.#push(payment)
  }

  #charge({ id, session, amount }: Payment): void {
    this.ledger.push({ payment: id, bank: session!.bank, value: amount.value })
  }

  async #push({ id, status, amount, webhook_url }: Payment): Promise<void> {
    const body = JSON.stringify({ id, status, amount })
    const headers = { 'content-type': 'application/json', 'bank-signature': sign(body) }
    // A service tries again for days; this one leaves it at once, because the status can be asked for.
    await fetch(webhook_url, { method: 'POST', body, headers }).catch(() => {})
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url!, this.url)
    const body = await text(req)
    const [, kind = '', id = '', action = ''] = pathname.split('/')
    if (kind === 'icons') return void res.writeHead(200, { 'content-type': 'image/svg+xml' }).end(iconOf(id))
    if (kind === 'bank') return this.#bankPage(res, id, new URLSearchParams(body).get('outcome'))
    this.calls.push(`${req.method} ${pathname}`)
    const [status, value] = this.#call(req, { kind, id, action }, body)
    res.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' })
    res.end(JSON.stringify(value))
  }

  #call(req: IncomingMessage, at: { kind: string; id: string; action: string }, body: string): Answer {
    if (this.isDown) return problem(503, 'The service is not available')
    if (req.headers.authorization !== 'Bearer test_key') return problem(401, 'The key is not known')
    const key = String(req.headers['idempotency-key'] ?? randomUUID())
    const known = this.#byKey.get(key)
    if (known) return [201, known]
    const sent = body === '' ? {} : JSON.parse(body)
    if (at.kind === 'banks') return [200, { banks: this.#banks() }]
    if (at.kind === 'payments' && at.id === '') return this.#create(sent, key)
    const payment = at.kind === 'payments' ? this.payments.get(at.id) : undefined
    if (!payment) return problem(404, 'There is no such payment')
    if (at.action === 'authorisations') return this.#choose(payment, String(sent.bank))
    if (at.action === 'refunds') return this.#refund(payment, Number(sent.amount.value), key)
    if (at.action === 'cancel') {
      if (payment.status !== 'open') return problem(422, 'The payment can no longer be cancelled')
      payment.status = 'canceled'
    }
    return [200, payment]
  }

  #banks() {
    return Object.entries(banks).map(([id, name]) => ({ id, name, icon: `${this.url}/icons/${id}` }))
  }

  #create(
    sent: Pick<Payment, 'amount' | 'description' | 'redirect_url' | 'webhook_url'>,
    key: string,
  ): Answer {
    const id = `bp_${this.payments.size + 1}${randomUUID().slice(0, 6)}`
    const expires_at = new Date(Date.now() + hour).toISOString()
    const payment: Payment = { ...sent, id, status: 'open', expires_at, refunded: 0 }
    this.payments.set(id, payment)
    this.#byKey.set(key, payment)
    return [201, payment]
  }

  #choose(payment: Payment, bank: string): Answer {
    if (!Object.hasOwn(banks, bank)) return problem(422, 'There is no such bank', 'bank')
    if (payment.status !== 'open') return problem(409, `The payment is ${payment.status}`)
    payment.session = { id: randomUUID(), bank }
    this.#sessions.set(payment.session.id, payment)
    return [201, { redirect_url: `${this.url}/bank/${payment.session.id}` }]
  }

  #refund(payment: Payment, value: number, key: string): Answer {
    const left = Math.round(Number(payment.amount.value) * 100) - payment.refunded
    if (payment.status !== 'paid' || Math.round(value * 100) > left)
      return problem(422, 'The amount is higher than what is left of the payment', 'amount.value')
    payment.refunded += Math.round(value * 100)
    const refund = { id: `br_${randomUUID()}`, status: 'queued', payment: payment.id }
    this.#byKey.set(key, refund)
    return [201, refund]
  }

  /** The page of a bank, where its customer decides. A session that another one has replaced confirms nothing. */
  #bankPage(res: ServerResponse, id: string, outcome: string | null): void {
    const payment = this.#sessions.get(id)
    if (!payment) return void res.writeHead(404).end()
    const isLive = payment.status === 'open' && payment.session?.id === id
    if (isLive && outcome === null) {
      const { bank } = payment.session!
      const { value, currency } = payment.amount
      const due = `<p>${escaped(payment.description)}: ${value} ${escaped(currency.toUpperCase())}</p>`
      sendPage(res, banks[bank as keyof typeof banks], `${due}<form method="post">${buttons}</form>`)
    } else if (outcome === null) {
      sendPage(res, 'Nothing is left to do here', `<a href="${escaped(wayBack(payment))}">Go on</a>`)
    } else {
      if (isLive) this.#decide(payment, outcome)
      res.writeHead(303, { location: wayBack(payment) }).end()
    }
  }

  #decide(payment: Payment, outcome: string): void {
    if (outcome === 'approve') {
      payment.status = 'paid'
      this.#charge(payment)
    }
    if (outcome === 'later') payment.status = 'pending'
    if (outcome === 'cancel') payment.status = 'canceled'
    if (outcome === 'refuse') delete payment.session
    else if (outcome !== 'later') void this.#push(payment)
  }
}

type Answer = [status: number, value: object]
const problem = (status: number, title: string, field?: string): Answer => [
  status,
  { status, title, ...(field && { field }) },
]

const outcomes = {
  approve: 'Approve',
  later: 'Approve, to be checked',
  refuse: 'Not enough money',
  cancel: 'Cancel',
}
const buttons = Object.entries(outcomes)
  .map(([value, label]) => `<p><button name="outcome" value="${value}">${label}</button></p>`)
  .join('')

/** The customer goes back with the result, signed. */
function wayBack({ id, status, amount: { value: amount, currency }, redirect_url }: Payment): string {
  const said = String(new URLSearchParams({ payment: id, status, amount, currency }))
  return `${redirect_url}?${said}&signature=${sign(said)}`
}

function sendPage(res: ServerResponse, title: string, content: string): void {
  const look =
    '<meta name="viewport" content="width=device-width"><style>body{font:1rem/1.5 system-ui;margin:2rem auto;max-width:24rem}</style>'
  const head = `<!doctype html><html lang="en"><meta charset="utf-8">${look}<title>${title}</title>`
  res.writeHead(200, { 'content-type': 'text/html' }).end(`${head}<h1>${escaped(title)}</h1>${content}`)
}

const iconOf = (bank: string): string => {
  const colour = { marigold: '#e0a100', harbour: '#0b6e99', juniper: '#3d7a3a' }[bank] ?? '#777777'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 26"><rect width="40" height="26" rx="4" fill="${colour}"/></svg>`
}

if (import.meta.main) {
  const { url } = await new BankService().listen(Number(process.env.PORT ?? 4010))
  console.log(`The bank service listens on ${url}`)
}
