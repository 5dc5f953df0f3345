import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { listenOn } from '../../../src/http/server.ts'
import { createProvider, type PaymentAdapter, type ProviderOptions, sqliteStore } from '../../../src/index.ts'
import { MovingClock } from '../../../src/sandbox/clock.ts'
import { paid } from '../../helpers/provider.ts'
import { payment } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { production } from '../../production-store.ts'
import { temporaryFolder } from '../../temporary.ts'

interface Received {
  shop: string
  order: number
  body: string
  id: string
  timestamp: number
  signatures: string[]
}

const until = async (holds: () => boolean) => {
  for (let wait = 0; wait < 1_000 && !holds(); wait++) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A receiver that keeps all it is sent, and fails while it is asked to. */
async function openReceiver() {
  const received: Received[] = []
  const receiver = { status: 200 }
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const { headers } = req
    received.push({
      shop: req.url!.split('/')[1]!,
      order: (JSON.parse(body) as { order_id: number }).order_id,
      body,
      id: String(headers['webhook-id'] ?? ''),
      timestamp: Number(headers['webhook-timestamp']),
      signatures: String(headers['webhook-signature'] ?? '').split(' '),
    })
    res.writeHead(receiver.status).end()
  })
  const port = await listenOn(server, 0, '127.0.0.1')
  const close = () => void server.close().closeAllConnections()
  return { received, receiver, url: (shop: string) => `http://127.0.0.1:${port}/${shop}/hook`, close }
}

/** As a receiver computes it from the specification, with nothing of ours. */
const expected = (secret: string, { id, timestamp, body }: Received): string => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** Webhooks of two shops are received, tried again, and verified; then the secret of the store and one of a shop are changed. */
export async function trySignatures() {
  const violations: string[] = []
  const { received, receiver, url, close } = await openReceiver()
  const clock = new MovingClock()
  using folder = temporaryFolder()
  const methods = () => [{ id: 'card', title: 'Card' }]
  const adapters: PaymentAdapter = { name: 'psp', methods, start: () => ({ later: true }) }
  const open = async (signWebhooks: boolean, secret: ProviderOptions['secret'] = production.secret) => {
    const provider = createProvider({
      ...{ development: true, secret, clock, logger: pino({ level: 'silent' }) },
      store: sqliteStore({ file: folder.at('purveyor.db') }),
      payments: { signWebhooks, adapters },
    })
    await provider.listen({ port: 0 })
    const pay = async (shop: string, order: number) => {
      const { endpoints } = await provider.shops.show(shop, { reveal: true })
      const message = { ...payment({ id: order, method: 'card' }), webhook_url: url(shop) }
      const answer = await postJson(`${endpoints[0]!.url}/payment`, message)
      if (answer.status !== 201) violations.push(`a start is answered ${answer.status}`)
      const before = received.length
      await provider.payments.report({ orderId: order, shop }, paid)
      // A webhook whose status was not read is sent again beside it.
      const ofOrder = () => received.slice(before).findLast((one) => one.shop === shop && one.order === order)
      await until(() => ofOrder() !== undefined)
      return ofOrder()!
    }
    const secretsOf = async (shop: string) =>
      (await provider.shops.show(shop, { webhookSecret: true })).webhookSecrets!.map((one) => one.secret)
    return { provider, pay, secretsOf }
  }

  const first = await open(true)
  for (const shop of ['one', 'two']) await first.provider.shops.add(shop)
  receiver.status = 500
  await first.pay('one', 1)
  receiver.status = 200
  const tries = received.length
  // Some seconds on: a try is signed with its own moment.
  for (let wait = 0; wait < 50 && received.length === tries; wait++) {
    clock.advance(6_000)
    await until(() => received.length > tries).catch(() => {})
  }
  await first.pay('one', 2)
  await first.pay('two', 1)
  const secrets = { one: await first.secretsOf('one'), two: await first.secretsOf('two') }
  await first.provider.stop()

  const verify = (one: Received, live: readonly string[], what: string) => {
    const wanted = live.map((secret) => expected(secret, one))
    if (`${one.signatures}` !== `${wanted}`) violations.push(`${what} does not verify`)
    if (!/^msg_[\w-]{20,}$/.test(one.id)) violations.push(`${what} has no id that can be used`)
    if (Math.abs(one.timestamp * 1000 - clock.now()) > 3_600_000) violations.push(`${what} has another time`)
  }
  for (const one of received)
    verify(one, secrets[one.shop as 'one'], `a webhook of order ${one.order} of shop ${one.shop}`)
  const of = (shop: string, order: number) =>
    received.filter((one) => one.shop === shop && one.order === order)
  const [again = [], other, foreign] = [of('one', 1), of('one', 2)[0], of('two', 1)[0]]
  if (again.length < 2) violations.push('a webhook that failed is not tried again')
  if (new Set(again.map(({ id }) => id)).size !== 1)
    violations.push('a try has another id than the one before')
  if (new Set(again.map(({ timestamp }) => timestamp)).size !== again.length)
    violations.push('two tries have one timestamp')
  if (again[0]?.id === other?.id) violations.push('two orders have one id')
  if (again[0]?.id === foreign?.id) violations.push('two shops have one id')
  if (secrets.one[0] === secrets.two[0]) violations.push('two shops have one secret')

  // The receiver keeps its copy, so a changed secret of the store changes nothing for it.
  const changed = { current: 'another secret, of 32 characters', previous: production.secret }
  const second = await open(true, changed)
  verify(await second.pay('one', 3), secrets.one, 'a webhook behind a changed secret of the store')
  const { secret } = await second.provider.shops.rotateWebhookSecret('one', { overlap: 3_600_000 })
  clock.advance(6_000)
  verify(await second.pay('one', 4), [secret, secrets.one[0]!], 'a webhook while a secret is changed')
  clock.advance(3_600_000)
  verify(await second.pay('one', 5), [secret], 'a webhook after a secret was changed')
  await second.provider.stop()

  const unsigned = await open(false, changed)
  const last = await unsigned.pay('one', 6)
  if (last.id !== '' || `${last.signatures}` !== '') violations.push('a webhook is signed where nobody asked')
  await unsigned.provider.stop()
  close()
  return { webhooks: received.length, violations }
}
