import { describe, expect, test } from 'vitest'
import { postJson } from '../http/post.ts'
import { type Given, hang, method, shopWith } from './provider.ts'

const paths = (asked: { path: string }[]) => asked.map(({ path }) => path)

describe('every switch does what it says', () => {
  test('cutOff: the shop waits so long', async () => {
    const { sandbox, last } = await shopWith(() => hang, { timeout: undefined })
    sandbox.set({ cutOff: '3s' })
    expect(await sandbox.checkout().shipmentMethods()).toEqual([])
    expect(last().faults[0]?.message).toBe('no answer within 3 s')
  })

  test('calls: each is made twice', async () => {
    const { sandbox, asked } = await shopWith()
    sandbox.set({ calls: 'doubled' })
    await sandbox.checkout().placeOrder()
    const each = ['/payment', '/payment_methods', '/shipment_methods']
    expect(paths(asked).sort()).toEqual(each.flatMap((path) => [path, path]))
  })

  test('answers: the next one is lost, or all are', async () => {
    const { sandbox, last } = await shopWith()
    sandbox.set({ answers: 'dropNext' })
    expect(await sandbox.checkout().shipmentMethods()).toEqual([])
    expect(last().meaning).toMatch(/sees no shipment methods of this provider: the answer was lost/)
    expect(await sandbox.checkout().shipmentMethods()).toHaveLength(1)
    sandbox.set({ answers: 'drop' })
    for (let times = 0; times < 2; times++) expect(await sandbox.checkout().shipmentMethods()).toEqual([])
  })

  test('created: a 200 counts, or does not', async () => {
    const { sandbox } = await shopWith(() => ({ status: 200, body: { shipment_methods: [method] } }))
    expect(await sandbox.checkout().shipmentMethods()).toHaveLength(1)
    sandbox.set({ created: 'refused' })
    expect(await sandbox.checkout().shipmentMethods()).toEqual([])
  })

  test('invalidMethods: one invalid method costs itself, or all', async () => {
    const methods = [method, { title: 'No price' }]
    const { sandbox } = await shopWith(() => ({ body: { shipment_methods: methods } }))
    expect(await sandbox.checkout().shipmentMethods()).toHaveLength(1)
    sandbox.set({ invalidMethods: 'dropped' })
    expect(await sandbox.checkout().shipmentMethods()).toEqual([])
  })

  test('methodLists: kept for a minute or half a day, for each address', async () => {
    const { sandbox, asked } = await shopWith()
    for (const [methodLists, within, beyond] of [
      ['60s', '50s', '20s'],
      ['12h', '11h', '2h'],
    ] as const) {
      sandbox.set({ methodLists })
      const ask = () => sandbox.checkout({ address: { zipcode: methodLists } }).shipmentMethods()
      const before = asked.length
      await ask()
      await sandbox.advance(within)
      await ask()
      expect(asked).toHaveLength(before + 1)
      await sandbox.advance(beyond)
      await ask()
      expect(asked).toHaveLength(before + 2)
    }
  })

  test('failing: a provider that fails five times is left alone for a minute', async () => {
    let status = 500
    const { sandbox, asked, last } = await shopWith(() => (status === 500 ? { status, body: {} } : undefined))
    sandbox.set({ failing: 'skipped' })
    for (let times = 0; times < 7; times++) await sandbox.checkout().shipmentMethods()
    expect(asked).toHaveLength(5)
    expect(last().meaning).toMatch(/not called for a minute/)
    status = 201
    await sandbox.advance('61s')
    expect(await sandbox.checkout().shipmentMethods()).toHaveLength(1)
  })

  test('customer: returns, twice, late or never', async () => {
    const { sandbox, asked } = await shopWith()
    const { id } = await sandbox.checkout().placeOrder()
    const asks = async (customer: 'returns' | 'returnsTwice' | 'returnsLate' | 'never') => {
      sandbox.set({ customer })
      const [calls, at] = [asked.length, sandbox.now()]
      await sandbox.returnToShop(id)
      return [asked.length - calls, Math.round((sandbox.now() - at) / 3_600_000)]
    }
    expect(await asks('returns')).toEqual([1, 0])
    expect(await asks('returnsTwice')).toEqual([2, 0])
    expect(await asks('returnsLate')).toEqual([1, 2])
    expect(await asks('never')).toEqual([0, 0])
  })

  test('paymentTabs: the payment is started in two tabs', async () => {
    const { sandbox, asked } = await shopWith()
    sandbox.set({ paymentTabs: 'two' })
    await sandbox.checkout().placeOrder()
    expect(paths(asked).filter((path) => path === '/payment')).toHaveLength(2)
  })

  test.each<['missing' | 'null' | 'text' | 'false', unknown]>([
    ['missing', undefined],
    ['null', null],
    ['text', ''],
    ['false', false],
  ])('noData: fields without data are %s', async (noData, written) => {
    const { sandbox, asked } = await shopWith()
    sandbox.set({ noData })
    await sandbox.checkout().shipmentMethods()
    const { customer, billing_address, quote } = asked[0]?.body ?? {}
    expect([customer.gender, customer.mobile, customer.company]).toEqual([written, written, written])
    expect(billing_address.region).toEqual(written)
    expect(quote.products[0]).toMatchObject({ title: 'Stoneware mug', size_x: 0 })
  })

  test('shopId: in the header, in the body too, or not with payments', async () => {
    const { sandbox, asked } = await shopWith()
    const sent = async (shopId: 'header' | 'none' | 'body') => {
      sandbox.set({ shopId })
      await sandbox.checkout().placeOrder()
      const { headers, body } = asked.at(-1)!
      return [headers['x-shop-id'], body.shop?.id]
    }
    expect(await sent('header')).toEqual(['4711', undefined])
    expect(await sent('none')).toEqual([undefined, undefined])
    expect(await sent('body')).toEqual(['4711', 4711])
  })

  const webhookOf = async (answer?: Given) => {
    const { sandbox, asked } = await shopWith(({ method: verb }) => (verb === 'GET' ? answer : undefined))
    const { id } = await sandbox.checkout().placeOrder()
    const url = `${sandbox.url}/webhooks/orders/${id}`
    const statusCalls = () => asked.filter(({ method: verb }) => verb === 'GET').length
    return { sandbox, statusCalls, call: () => fetch(url, { method: 'POST', body: '{}' }) }
  }

  test.each([
    ['refused', 500],
    ['gone', 410],
    ['limited', 429],
  ] as const)('webhook: %s is answered %i, and nothing is asked', async (webhook, status) => {
    const { sandbox, call, statusCalls } = await webhookOf()
    sandbox.set({ webhook })
    const answer = await call()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, status === 429 ? '60' : null])
    expect(statusCalls()).toBe(0)
  })

  test('webhook: late is answered after ten seconds', async () => {
    const { sandbox, call, statusCalls } = await webhookOf()
    sandbox.set({ webhook: 'late' })
    let answered = 0
    void call().then(({ status }) => (answered = status))
    await sandbox.advance('5s')
    expect([answered, statusCalls()]).toEqual([0, 0])
    const passed = async () => {
      await sandbox.advance('6s')
      return answered
    }
    await expect.poll(passed).toBe(200)
    await expect.poll(statusCalls).toBe(1)
  })

  test('statusAfterWebhook: asked before the webhook is answered, or twice', async () => {
    const { sandbox, call, statusCalls } = await webhookOf({ status: 200, body: { status: 'paid' } })
    sandbox.set({ statusAfterWebhook: 'inside' })
    await call()
    expect([statusCalls(), sandbox.orders[0]?.status]).toEqual([1, 'paid'])
    sandbox.set({ statusAfterWebhook: 'twice' })
    await call()
    await expect.poll(statusCalls).toBe(3)
  })
})

describe('switches', () => {
  test('there are at least twelve, each with words for every value', async () => {
    const { sandbox } = await shopWith()
    expect(sandbox.switches.length).toBeGreaterThanOrEqual(12)
    for (const { title, value, values } of sandbox.switches) {
      expect(title).toMatch(/^[A-Z]/)
      expect(Object.keys(values)[0]).toBe(value)
      expect(Object.keys(values).length).toBeGreaterThan(1)
    }
  })

  test('one that there is not, or a value it has not, is named', async () => {
    const { sandbox } = await shopWith()
    expect(() => sandbox.set({ nothing: 'x' } as never)).toThrow(/no switch "nothing"\. There are cutOff/)
    expect(() => sandbox.set({ webhook: 'gladly' } as never)).toThrow(
      'The switch webhook takes accepted, late, refused, limited, gone',
    )
    await expect(sandbox.advance('soon')).rejects.toThrow(/10m, 2h, 1d or 1month/)
    await expect(sandbox.advance(-1)).rejects.toThrow(/only moves forward/)
  })

  test('programs set them over HTTP', async () => {
    const { sandbox } = await shopWith()
    const post = (path: string, body: object) => postJson(sandbox.url + path, body)
    const set = await post('/switches', { webhook: 'refused' })
    expect(((await set.json()) as { switches: object[] }).switches).toContainEqual(
      expect.objectContaining({ name: 'webhook', value: 'refused' }),
    )
    expect((await post('/switches', { webhook: 'gladly' })).status).toBe(422)
    expect((await post('/clock', { by: 'soon' })).status).toBe(422)
    expect(sandbox.switches.find(({ name }) => name === 'webhook')?.value).toBe('refused')
  })
})
