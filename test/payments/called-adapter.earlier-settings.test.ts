import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { type PaymentAdapter, type PaymentStatus, paymentAdapter, z } from '../../src/index.ts'
import { payment } from '../http/messages.ts'
import { paymentUrl } from '../http/post.ts'
import { listening } from '../listening.ts'
import { serveOrigin } from '../serve-origin.ts'

const money = { status: 'paid', amount: '29.34', currency: 'eur' }
/** The account that knows a payment, by its reference. */
const accounts = new Map<string, string>()
const paid = new Set<string>()
/** The keys with which refunds were made. */
const refunds: string[] = []
let refusal = 401
let pushUrl = ''
let url: string

/** Serves a payment service. Each key is an account of its own, but for what follows a comma. */
async function serveService() {
  url = await serveOrigin((req, res) => {
    const key = req.headers.authorization!
    const [account] = key.split(',')
    const [, reference = '', kind] = new URL(req.url!, 'http://psp').pathname.split('/')
    if (reference === 'start') accounts.set(new URL(req.url!, 'http://psp').searchParams.get('id')!, key)
    else if (accounts.get(reference) !== account) return res.writeHead(refusal).end()
    if (kind === 'refunds') refunds.push(key)
    const said = paid.has(reference) ? money : { status: 'pending' }
    return res.setHeader('content-type', 'application/json').end(JSON.stringify(kind ? {} : said))
  })
}
const sign = (body: string | Buffer, key: string) => createHmac('sha256', key).update(body).digest('hex')

/** A payment service with an account for each key, which knows its own payments only. */
const psp = paymentAdapter({
  name: 'psp',
  settings: z.object({ key: z.string() }),
  methods: () => [{ id: 'card', title: 'Card' }],
  async start({ id }, { settings, fetch, pushUrl: address }) {
    await fetch(`${url}/start?id=${id}`, { method: 'POST', headers: { authorization: settings.key } })
    pushUrl = address!
    return { redirect: 'https://psp.example/pay', reference: id }
  },
  async status({ reference }, { settings, fetch }) {
    const answer = await fetch(`${url}/${reference}`, { headers: { authorization: settings.key } })
    if (answer.status === 404) return { status: 'cancelled' }
    if (!answer.ok) throw new Error(`psp answered ${answer.status}`)
    return answer.json() as never
  },
  async refund({ reference }, { amount, currency, idempotencyKey }, { settings, fetch }) {
    const lookInVain = () => fetch(`${url}/unknown`, { headers: { authorization: settings.key } })
    await lookInVain()
    const answer = await fetch(`${url}/${reference}/refunds?key=${idempotencyKey}`, {
      method: 'POST',
      headers: { authorization: settings.key },
    })
    await lookInVain()
    return answer.ok
      ? { status: 'refunded', amount, currency, event: idempotencyKey }
      : { refused: `psp answered ${answer.status}` }
  },
  push: {
    verify: ({ body, headers }, { settings }) => headers['x-signature'] === sign(body, settings.key),
    read: ({ body }) => JSON.parse(body.toString()),
  },
})

/** A shop whose key is `old`, with a payment under way. */
async function startedShop() {
  await serveService()
  const { provider, endpoint: _ } = await listening({ payments: psp as PaymentAdapter })
  const { shops, payments } = provider
  const { shop, endpoint } = await shops.add('bikes', { settings: { adapters: { psp: { key: 'old' } } } })
  const start = async (id: number) => {
    await paymentUrl(endpoint, payment({ id, method: 'card' }))
    return (await payments.get({ shop, orderId: id }))!.attempts[0]!.id
  }
  const refresh = (orderId: number): Promise<PaymentStatus> => payments.refresh({ shop, orderId })
  const change = (key: string) => shops.patchSettings('bikes', { adapters: { psp: { key } } })
  return { provider, shop, start, refresh, change }
}

test.each(['401', '404'])(
  'status and refunds of a payment from before a change use the settings of then where those of now are answered %s',
  async (status) => {
    refusal = Number(status)
    const { provider, shop, start, refresh, change } = await startedShop()
    const old = await start(1)
    await change('between')
    await change('new')
    expect(await refresh(1)).toBe('pending')
    paid.add(old)
    await expect.poll(() => refresh(1), { interval: 500 }).toBe('paid')
    const moved = await provider.payments.refund({ shop, orderId: 1 }, { amount: '1.00' })
    expect(moved).toMatchObject({ refused: undefined, ledger: { refunded: '1.00' } })
    expect(refunds.splice(0)).toEqual(['old'])
    const later = await start(2)
    paid.add(later)
    expect(await refresh(2)).toBe('paid')
    expect(accounts.get(later)).toBe('new')
  },
)

test('a refund that was made is not made again with earlier settings, whatever is looked up in vain beside it', async () => {
  const { provider, shop, start, refresh, change } = await startedShop()
  paid.add(await start(1))
  expect(await refresh(1)).toBe('paid')
  await change('old, rotated')
  await provider.payments.refund({ shop, orderId: 1 }, { amount: '1.00' })
  expect(refunds.splice(0)).toEqual(['old, rotated'])
})

test('a push that is signed with the key of before the change counts, and one with a key that the shop never had does not', async () => {
  const { provider, shop, start, change } = await startedShop()
  const old = await start(1)
  await change('new')
  const push = (key: string) => {
    const body = JSON.stringify({ reference: old, report: money })
    return fetch(pushUrl, { method: 'POST', body, headers: { 'x-signature': sign(body, key) } })
  }
  expect((await push('never')).status).toBe(401)
  expect((await push('old')).status).toBe(204)
  const status = async () => (await provider.payments.get({ shop, orderId: 1 }))!.status
  await expect.poll(status).toBe('paid')
  // Nothing of it is shown.
  expect(JSON.stringify(await provider.shops.settings('bikes'))).not.toMatch(/old|earlier/)
})
