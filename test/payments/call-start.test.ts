import { expect, test } from 'vitest'
import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import type { Problem } from '../../src/contract/index.ts'
import { paymentsWith } from '../helpers/provider.ts'
import { shopPaying } from '../helpers/sandbox.ts'
import { unreadable } from '../helpers/world.ts'

test.each(['pay.example/x', '/x', 'ftp://pay.example'])(
  'a redirect to %s is refused with what is right',
  async (redirect) => {
    const methods = () => [{ id: 'card', title: 'Card' }]
    const { shop, lines } = await shopPaying({ name: 'psp', methods, start: () => ({ redirect }) })
    expect((await shop.checkout().placeOrder()).paymentUrl).toBeUndefined()
    const right = 'start() of payment adapter "psp" returns { redirect: \'https://...\' }'
    expect(lines.find(({ level }) => level === 50)!.err.message).toContain(right)
  },
)

const failing = (error: unknown) => ({ start: () => Promise.reject(error) })
const same = /^Send the same call again/
const cannotHelp = /^The same call cannot help until the cause is repaired/

test.each<[string, Partial<AnyPaymentAdapter>, RegExp]>([
  ['a lost connection', failing(new Error('connection lost')), same],
  ['an error that cannot be read', failing(unreadable('status')), same],
  ['a service that is down', failing(Object.assign(new Error('down'), { status: 503 })), same],
  ['a call under way', failing(Object.assign(new Error('busy'), { status: 409 })), same],
  ['too many calls', failing(Object.assign(new Error('busy'), { status: 429 })), same],
  ['a refused request', failing(Object.assign(new Error('no'), { status: 422 })), cannotHelp],
  ['a refused key', failing(Object.assign(new Error('no'), { status: 401 })), cannotHelp],
  ['a mistake of the code', failing(new TypeError('x is not a function')), cannotHelp],
  ['an answer that is none', { start: () => ({ redirect: 7 }) as never }, cannotHelp],
  ['a mode that is none', { mode: () => 'both' as never }, cannotHelp],
])('a start that failed says whether the same call can help: %s', async (_name, adapter, detail) => {
  const { start } = paymentsWith(adapter)
  const failed = await start().catch((error: Problem) => error)
  expect(failed).toMatchObject({ code: 'PAYMENT_START_FAILED', remedy: expect.stringMatching(detail) })
  expect((failed as Problem).toJSON().detail).toMatch(detail)
})

test('the last answer of the payment service says whether the same call can help, also where the adapter does not', async () => {
  let status = 422
  const { workings, start } = paymentsWith({
    idempotency: { ttl: 60_000 },
    async start(_attempt, ctx) {
      throw new Error(`answered ${(await ctx.fetch('https://psp.example/payments')).status}`)
    },
  })
  workings.world.outgoing.fetch = async () => new Response('', { status })
  await expect(start()).rejects.toMatchObject({ remedy: expect.stringMatching(cannotHelp) })
  status = 503
  await expect(start()).rejects.toMatchObject({ remedy: expect.stringMatching(same) })
})
