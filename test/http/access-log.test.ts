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
  const shop = supertest(endpoint)
  const started = await shop.post('/payment').set('x-request-id', 'request-start').send(order(41))
  const start = await lineOf(lines, 'request-start')
  expect([started.status, start.shop, start.order]).toEqual([201, 'default', '41'])
  expect(start).not.toHaveProperty('code')

  const page = new URL(started.body.payment_url).pathname
  const { pushAddresses = [] } = await provider.shops.show('default', { reveal: true })
  const ofOrder = { shop: 'default', order: '41' }
  for (const [place, [call, status, line]] of (
    [
      [shop.post('/shipment_methods').send(checkout), 201, { shop: 'default' }],
      [shop.get('/payment/41'), 200, ofOrder],
      [shop.get('/payment/42'), 404, { order: '42', code: 'NOT_FOUND' }],
      [shop.post('/payment').send({ order: {} }), 422, { shop: 'default', code: 'BODY_INVALID' }],
      // The answer of Express.
      [supertest(origin).get(page), 200, ofOrder],
      [supertest(origin).post(page).send({}), 415, { code: 'MEDIA_TYPE_UNSUPPORTED' }],
      [supertest(pushAddresses[0]!.url).post('').send({}), 204, { shop: 'default' }],
      [supertest(origin).get('/e/guessed/payment/41'), 404, { code: 'NOT_FOUND', level: 20 }],
    ] as const
  ).entries()) {
    await call.set('x-request-id', `request-${place}`).expect(status)
    expect(await lineOf(lines, `request-${place}`)).toMatchObject(line)
  }

  // A stranger's line, which is the last, names no shop, and no line holds a token.
  const stranger = await lineOf(lines, 'request-7')
  for (const name of ['shop', 'order']) expect(stranger).not.toHaveProperty(name)
  const said = JSON.stringify(lines)
  for (const secret of [endpoint.split('/').at(-1)!, page.split('/').at(-1)!, 'guessed', 'Damrak'])
    expect(said).not.toContain(secret)
})

test('access lines of health checks are debug', async () => {
  const { origin, lines } = await observedProvider()
  for (const path of ['live', 'ready', 'ready/rates']) {
    const id = `health-${path.replace('/', '-')}`
    await supertest(origin).get(`/health/${path}`).set('x-request-id', id)
    expect(await lineOf(lines, id)).toMatchObject({ level: 20 })
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

const parts = '/e/ /e/t /e/t/ /e/t/payment_methods /e/t/payment/ /e/t/payment/1001 /e/t/payment/1001/'
test.each([...parts.split(' '), '/e/t/payment/1001/more/parts'])(
  '%s has the parts between its slashes',
  (path) => {
    expect(isContractPath(path)).toBe(true)
    const [, , token = '', name = '', last = '', ...more] = path.split('/')
    expect(contractPathOf(path)).toEqual({ token, name, last, isLonger: more.length > 0 })
  },
)

test.each(['/', '/e', '/p/t', '/health/live', '/ee/t'])('%s is none of the contract', (path) => {
  expect(isContractPath(path)).toBe(false)
})
