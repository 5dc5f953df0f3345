import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createProvider, type ProviderOptions, price } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'
import { combine } from '../../src/rates/index.ts'
import { checkout, payment, shopUrls } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { keptLog } from '../listening.ts'
import { lastingStore } from '../production-store.ts'
import { real, trial } from './trial-adapters.ts'

const secret = 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe'
const live = { publicUrl: 'https://checkout.example.com', secret }
const method = { id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }
const door = { name: 'door', quote: () => [method] }
const free = { ...door, name: 'free', developmentOnly: true }

function make(options: Partial<ProviderOptions>) {
  const { lines, logger } = keptLog('info')
  const store = lastingStore()
  return { provider: createProvider({ port: 0, store, logger, ...options }), store, lines }
}

async function open(options: Partial<ProviderOptions>) {
  const made = make(options)
  const { endpoint, port } = await made.provider.listen({ host: '127.0.0.1' })
  onTestFinished(() => made.provider.stop())
  const post = (name: string, body: object) =>
    postJson(`http://127.0.0.1:${port}${new URL(endpoint).pathname}/${name}`, body)
  const offered = async () => {
    const answer = await (await post('payment_methods', checkout)).json()
    return (answer as { payment_methods: { id: string }[] }).payment_methods.map(({ id }) => id)
  }
  return { ...made, post, offered }
}

describe('an adapter that is developmentOnly', () => {
  test('is offered in development', async () => {
    const { offered } = await open({ payments: [trial, real] })
    expect(await offered()).toEqual(['trial:trial', 'real:card'])
  })

  test('is left out of production, which says so once at the start', async () => {
    const { offered, provider, lines } = await open({ ...live, payments: [trial, real] })
    expect(await offered()).toEqual(['real:card'])
    const { adapters } = inspect(provider).describe()
    expect(adapters.map(({ name }) => name)).toEqual(['real'])
    expect(lines.filter(({ adapter }) => adapter === 'trial')).toMatchObject([
      { level: 40, msg: expect.stringContaining('publicUrl is not an address of this machine') },
    ])
  })

  test('leaves rates out too', async () => {
    const { post } = await open({ ...live, rates: [free, door] })
    const answer = await post('shipment_methods', checkout)
    expect(await answer.json()).toMatchObject({ shipment_methods: [{ id: 'door' }] })
  })

  test('is all there is: production does not start', async () => {
    const { provider, store } = make({ ...live, payments: trial })
    const opened = vi.spyOn(store, 'open')
    const message = expect.stringContaining('developmentOnly, which production leaves out')
    for (const start of [provider.listen, provider.start])
      await expect(start()).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID', message })
    expect(inspect(provider).brokenRules()).toMatchObject([{ check: 'adapters' }])
    expect(opened).not.toHaveBeenCalled()
  })

  test('moves no real money behind a tunnel of this machine', async () => {
    vi.stubEnv('PURVEYOR_TUNNEL_URL', live.publicUrl)
    const { post, store, provider } = await open({ ...live, payments: [trial, real] })
    vi.unstubAllEnvs()
    expect(provider.development).toBe(false)
    const order = (id: number, method: string) => ({ ...payment({ id, method }), ...shopUrls })
    expect((await post('payment', order(1, 'trial:trial'))).status).toBe(201)
    expect((await post('payment', order(2, 'real:card'))).status).toBe(201)
    const inside = { ...order(3, 'real:card'), webhook_url: 'http://127.0.0.1:9/' }
    expect((await post('payment', inside)).status).toBe(422)
    const payments = await store.payments({ limit: 9 })
    const modes = payments.map(({ orderId, attempts }) => `${orderId} ${attempts[0]?.mode}`)
    expect(modes.sort()).toEqual(['1 test', '2 live'])
  })

  test('says what is wrong where its settings disagree', () => {
    const cases = [
      [{ ...trial, developmentOnly: 'false' }, /developmentOnly of "trial" must be true or false/],
      [{ ...trial, mode: 'live' }, /mode of "trial" is test, because it is developmentOnly/],
    ] as const
    for (const [payments, words] of cases) expect(() => make({ payments: payments as never })).toThrow(words)
    expect(() => combine('both', [door, free])).toThrow(/"free" is developmentOnly/)
  })
})
