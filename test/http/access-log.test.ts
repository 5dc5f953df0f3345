import { connect } from 'node:net'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { contractPathOf, isContractPath } from '../../src/http/access-log.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { observedProvider } from '../observability/pair.ts'
import { checkout } from './messages.ts'

async function lineOf(lines: Record<string, unknown>[], requestId: string) {
  const found = () => lines.find((line) => line.msg === 'answered' && line.requestId === requestId)
  await expect.poll(found).toBeDefined()
  return found()!
}

test('an access line names shop, order and code, whichever way the request was answered', async () => {
  const { endpoint, origin, lines, order, provider } = await observedProvider({
    payments: {
      name: 'hosted',
      methods: () => [],
      start: () => ({ page: true }),
      status: () => ({ status: 'pending' }),
      page: { render: () => '', submit: () => undefined },
      push: { confirm: 'status', read: () => [] },
    } as never,
  })
  const ask = (call: supertest.Test, id: string) => call.set('x-request-id', `request-${id}`)

  const rates = await ask(supertest(endpoint).post('/shipment_methods').send(checkout), 'rates')
  expect(rates.status).toBe(201)
  expect(await lineOf(lines, 'request-rates')).toMatchObject({ shop: 'default' })

  const started = await ask(supertest(endpoint).post('/payment').send(order(41)), 'start')
  expect(started.status).toBe(201)
  expect(await lineOf(lines, 'request-start')).toMatchObject({ shop: 'default', order: '41' })
  expect(await lineOf(lines, 'request-start')).not.toHaveProperty('code')

  await ask(supertest(endpoint).get('/payment/41'), 'status').expect(200)
  expect(await lineOf(lines, 'request-status')).toMatchObject({ shop: 'default', order: '41' })
  await ask(supertest(endpoint).get('/payment/42'), 'no-order').expect(404)
  expect(await lineOf(lines, 'request-no-order')).toMatchObject({ order: '42', code: 'NOT_FOUND' })
  await ask(supertest(endpoint).post('/payment').send({ order: {} }), 'invalid').expect(422)
  expect(await lineOf(lines, 'request-invalid')).toMatchObject({ shop: 'default', code: 'BODY_INVALID' })

  // The answer of Express.
  const page = new URL(started.body.payment_url).pathname
  await ask(supertest(origin).get(page), 'page').expect(200)
  expect(await lineOf(lines, 'request-page')).toMatchObject({ shop: 'default', order: '41' })
  await ask(supertest(origin).post(page).send({}), 'form').expect(415)
  expect(await lineOf(lines, 'request-form')).toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED' })
  const { pushAddresses = [] } = await provider.shops.show('default', { reveal: true })
  await ask(supertest(pushAddresses[0]!.url).post('').send({}), 'push').expect(204)
  expect(await lineOf(lines, 'request-push')).toMatchObject({ shop: 'default' })

  // A stranger's line names no shop, and no line holds a token.
  await ask(supertest(origin).get('/e/guessed/payment/41'), 'stranger').expect(404)
  const stranger = await lineOf(lines, 'request-stranger')
  expect(stranger).toMatchObject({ code: 'NOT_FOUND', level: 20 })
  expect(stranger).not.toHaveProperty('shop')
  expect(stranger).not.toHaveProperty('order')
  const said = JSON.stringify(lines)
  for (const secret of [endpoint.split('/').at(-1)!, page.split('/').at(-1)!, 'guessed', 'Damrak'])
    expect(said).not.toContain(secret)
})

test('access lines of health checks are debug', async () => {
  const { origin, lines } = await observedProvider()
  for (const path of ['live', 'ready', 'ready/rates']) {
    await supertest(origin)
      .get(`/health/${path}`)
      .set('x-request-id', `health-${path.replace('/', '-')}`)
    expect(await lineOf(lines, `health-${path.replace('/', '-')}`)).toMatchObject({ level: 20 })
  }
})

test('a caller who leaves before the answer is logged as such, and a stranger at debug', async () => {
  const store = memoryStore()
  const looking = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const { attemptByPage } = store
  store.attemptByPage = async (pageHash) => {
    looking.resolve()
    await held.promise
    return attemptByPage(pageHash)
  }
  const { origin, lines } = await observedProvider({ store })
  const { host, hostname, port } = new URL(origin)
  const stranger = connect(Number(port), hostname)
  stranger.write(`GET /p/guessed HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: request-left\r\n\r\n`)
  await looking.promise
  stranger.destroy()
  expect(await lineOf(lines, 'request-left')).toMatchObject({ level: 20, res: { status: 499 } })
  held.resolve()
})

const none = { token: '', name: '', last: '', isLonger: false }

test.each([
  ['/e/', none],
  ['/e/t', { ...none, token: 't' }],
  ['/e/t/', { ...none, token: 't' }],
  ['/e/t/payment_methods', { ...none, token: 't', name: 'payment_methods' }],
  ['/e/t/payment/', { ...none, token: 't', name: 'payment' }],
  ['/e/t/payment/1001', { ...none, token: 't', name: 'payment', last: '1001' }],
  ['/e/t/payment/1001/', { token: 't', name: 'payment', last: '1001', isLonger: true }],
  ['/e/t/payment/1001/more/parts', { token: 't', name: 'payment', last: '1001', isLonger: true }],
])('%s', (path, parts) => {
  expect(isContractPath(path)).toBe(true)
  expect(contractPathOf(path)).toEqual(parts)
  // As by a list of its parts.
  const [, , token = '', name = '', last = '', ...more] = path.split('/')
  expect(contractPathOf(path)).toEqual({ token, name, last, isLonger: more.length > 0 })
})

test.each(['/', '/e', '/p/t', '/health/live', '/ee/t'])('%s is none of the contract', (path) => {
  expect(isContractPath(path)).toBe(false)
})
