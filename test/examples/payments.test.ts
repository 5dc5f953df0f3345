import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { decimal, type PaymentAdapter } from '../../src/index.ts'
import { testPaymentAdapter } from '../../src/testing/index.ts'
import { atEnd } from '../at-end.ts'
import { withBuiltPackage } from '../built.ts'
import { folderWith, purveyor, serving as serve } from '../cli/command.ts'
import { cleanEnv, repository } from '../journey/project.ts'
import { openShop } from '../platform/sandbox.ts'
import { serveOrigin } from '../serve-origin.ts'

const example = (name: string) => join(repository, 'examples', name)

type Handler = (req: IncomingMessage, res: ServerResponse, body: string) => unknown

const serving = (handler: Handler): Promise<string> =>
  serveOrigin(async (req, res) => void handler(req, res, await text(req)), atEnd)

async function shopBeside(file: string, env: Record<string, string>) {
  const cwd = folderWith()
  const { ready } = serve(cwd, env, '--provider', example(file))
  const { endpoint } = await ready
  const shop = await openShop({ endpoint, services: ['payments'] })
  return { shop, cwd }
}

const key = 'sk_test_of_the_example'
const signingSecret = 'whsec_of_the_example'

/** A new session for what the form names. */
const sessionOf = (number: number, form: URLSearchParams) => ({
  ...{ id: `cs_test_${number}`, status: 'open', payment_status: 'unpaid', payment_intent: `pi_${number}` },
  amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
  currency: form.get('line_items[0][price_data][currency]')!,
})
type Session = ReturnType<typeof sessionOf>

/** Stripe Checkout, as far as its documentation shows it: sessions, idempotency keys, signed pushes, refunds. */
async function stripeService() {
  const sessions = new Map<string, Session>()
  const byKey = new Map<string, Session>()
  const bodyOf = (session: Session) => ({
    ...{ object: 'checkout.session', livemode: false, mode: 'payment' },
    url: session.status === 'open' ? `https://checkout.stripe.com/c/pay/${session.id}` : null,
    expires_at: Math.floor(Date.now() / 1000) + 24 * 3_600,
    ...session,
  })
  const url = await serving((req, res, body) => {
    const json = (status: number, value: object) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const refuse = (status: number, message: string) =>
      json(status, { error: { type: 'invalid_request_error', message } })
    if (req.headers.authorization !== `Bearer ${key}`) return refuse(401, 'Invalid API Key provided')
    const { pathname, searchParams } = new URL(req.url!, 'http://stripe')
    const [, id, action] = /^\/v1\/checkout\/sessions(?:\/([^/]+))?(?:\/(expire))?$/.exec(pathname) ?? []
    if (req.method === 'POST' && id === undefined) {
      const form = new URLSearchParams(body)
      const known = byKey.get(String(req.headers['idempotency-key']))
      if (known) return json(200, bodyOf(known))
      const session = sessionOf(sessions.size + 1, form)
      sessions.set(session.id, session)
      byKey.set(String(req.headers['idempotency-key']), session)
      return json(200, bodyOf(session))
    }
    if (id === undefined) {
      const intent = searchParams.get('payment_intent')
      const found = [...sessions.values()].filter((one) => one.payment_intent === intent)
      return json(200, { object: 'list', data: found.map(bodyOf), has_more: false })
    }
    const session = sessions.get(id)
    if (!session) return refuse(404, 'No such checkout.session')
    if (action) session.status = 'expired'
    json(200, bodyOf(session))
  })
  return {
    sessions: () => [...sessions.values()],
    bodyOf,
    env: { STRIPE_URL: url, STRIPE_KEY: key, STRIPE_WEBHOOK_SECRET: signingSecret, NODE_ENV: 'development' },
  }
}

/** A push of Stripe, signed as Stripe signs. */
function pushOf(type: string, object: object, secret = signingSecret) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  const at = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return { body, headers: { 'stripe-signature': `t=${at},v1=${v1}`, 'content-type': 'application/json' } }
}

test('Stripe: its page, its signed push, its refund, and one session for a repeated start', async () => {
  const psp = await stripeService()
  const { shop, cwd } = await shopBeside('payment-psp/provider.ts', psp.env)
  const order = await shop.checkout().placeOrder()
  const [session] = psp.sessions()
  const cents = Math.round(Number(order.amounts.incl) * 100)
  expect(session).toMatchObject({ amount_total: cents, currency: 'eur' })
  expect(order.paymentUrl).toBe(`https://checkout.stripe.com/c/pay/${session!.id}`)
  expect((await shop.returnToShop(order.id)).status).toBe('pending')
  expect((await shop.repeatStart(order.id)).paymentUrl).toBe(order.paymentUrl)
  expect(psp.sessions()).toHaveLength(1)

  // The push address is printed on request.
  const env = { ...psp.env, PURVEYOR_PUBLIC_URL: new URL(shop.services[0]!.urlEndpoint).origin }
  const args = 'shop show default --endpoint --json --provider'.split(' ')
  args.push(example('payment-psp/provider.ts'))
  const { pushAddresses } = JSON.parse((await purveyor(args, { cwd, env })).stdout)
  const push = (one: ReturnType<typeof pushOf>) => fetch(pushAddresses[0].url, { method: 'POST', ...one })

  Object.assign(session!, { status: 'complete', payment_status: 'paid' })
  const completed = psp.bodyOf(session!)
  expect((await push(pushOf('checkout.session.completed', completed, 'whsec_forged'))).status).toBe(401)
  expect((await shop.fetchStatus(order.id)).status).not.toBe('cancelled')
  expect((await push(pushOf('checkout.session.completed', completed))).status).toBeLessThan(300)
  await shop.waitForStatus(order.id, 'paid')
  // Money that goes back leaves the order paid, and is shown to a person.
  const moved = { payment_intent: session!.payment_intent, amount: session!.amount_total, currency: 'eur' }
  await push(pushOf('refund.created', { ...moved, id: 're_1' }))
  await push(pushOf('refund.failed', { ...moved, id: 're_1' }))
  await push(pushOf('charge.dispute.funds_withdrawn', { ...moved, id: 'du_1' }))
  const anomalies = async () => (await purveyor(['payments', 'anomalies'], { cwd, env })).stdout
  await expect.poll(anomalies, { timeout: 120_000 }).toContain('charged_back')

  const left = await shop.checkout().placeOrder()
  const [, open] = psp.sessions()
  open!.status = 'expired'
  await push(pushOf('checkout.session.expired', psp.bodyOf(open!)))
  await shop.waitForStatus(left.id, 'expired')
  expect(shop.calls.flatMap(({ faults }) => faults)).toEqual([])
})

const forAdapter = await stripeService()
Object.assign(process.env, forAdapter.env)
const { psp } = (await import('../../examples/payment-psp/provider.ts')) as { psp: PaymentAdapter }

describe('the adapter for Stripe holds what every adapter has to', () => {
  testPaymentAdapter({
    test,
    adapter: psp,
    push({ reference }) {
      const object = { id: reference, payment_status: 'unpaid', status: 'complete' }
      const { body, headers } = pushOf('checkout.session.completed', object)
      return { body: Buffer.from(body), headers, query: '' }
    },
  })
})

test('a bank transfer: no page, a mail with a reference, and paid once the statement has it', async () => {
  const mails: { to: string; text: string; key: string | undefined }[] = []
  const url = await serving((req, res, body) => {
    mails.push({ ...JSON.parse(body), key: req.headers['idempotency-key'] as string })
    res.writeHead(202).end()
  })
  const env = { MAIL_URL: url, NODE_ENV: 'development' }
  const { shop, cwd } = await shopBeside('payment-bank-transfer/provider.ts', env)
  const order = await shop.checkout().placeOrder()
  expect(order.paymentUrl).toBeNull()
  expect((await shop.returnToShop(order.id)).status).toBe('pending')
  const [reference] = /PV[0-9A-F]{10}/.exec(mails[0]!.text) ?? []
  const said = expect.stringContaining(order.amounts.incl)
  expect(mails[0]).toMatchObject({ to: 'noor@customer.example', text: said })
  await shop.repeatStart(order.id)
  expect(new Set(mails.map(({ key }) => key)).size).toBe(1)

  const other = await shop.checkout().placeOrder()
  const [short] = /PV[0-9A-F]{10}/.exec(mails.at(-1)!.text) ?? []
  // The first order is paid in two transfers, the second one in part.
  const statement = `id,date,amount,currency,description
b1,2026-03-02,${decimal(order.amounts.incl).minus(5)},EUR,Order ${reference} thanks
b2,2026-03-02,5.00,EUR,${reference}
b3,2026-03-02,5.00,EUR,${short}
b4,2026-03-03,12.00,EUR,rent
b5,2026-03-03,9.99,EUR,PV0000000000
`
  writeFileSync(join(cwd, 'statement.csv'), statement)
  const import1 = await importStatement(cwd, env)
  expect(import1).toMatch(new RegExp(`${reference} +5.00 EUR +paid`))
  expect(import1).toMatch(new RegExp(`${short} +5.00 EUR +pending`))
  expect(import1).toMatch(/PV0000000000 +9\.99 EUR +.*no payment/i)
  await shop.waitForStatus(order.id, 'paid', { timeout: 120_000 })
  await importStatement(cwd, env)
  expect(shop.order(other.id)?.status).not.toBe('paid')
  const { stdout } = await purveyor(['payments', 'show', String(order.id)], { cwd, env })
  expect(stdout.match(/paid 5\.00 eur of b2/g)).toHaveLength(1)
})

/** Runs the example's own program beside the provider that serves. */
async function importStatement(cwd: string, env: Record<string, string>): Promise<string> {
  const node = join(repository, 'node_modules/.bin/node')
  const args = [...(await withBuiltPackage()), example('payment-bank-transfer/statement.ts'), 'statement.csv']
  const child = spawn(node, args, { cwd, env: cleanEnv(env), stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = text(child.stdout)
  expect((await once(child, 'exit'))[0]).toBe(0)
  return printed
}
