import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { price } from '../../../src/index.ts'
import { door, ratesWith } from '../../helpers/rates.ts'
import { sized } from '../../long.ts'

const minute = 60_000

/** A carrier that is asked over the network, so to say: each call answers the next price. */
function carrier(changes: Partial<AnyRateAdapter> = {}) {
  const asked: unknown[] = []
  const adapter: AnyRateAdapter = {
    name: 'carrier',
    needs: ['shipping_address.country', 'shipping_address.zipcode'],
    cache: { ttl: 10 * minute },
    async quote(request) {
      asked.push(structuredClone(request))
      return [{ ...door, ...price({ excl: asked.length, taxRate: 0, currency: 'eur' }) }]
    },
    ...changes,
  }
  return { adapter, asked }
}

test('equal questions cost one call while the answer is fresh, and one that are under way together', async () => {
  const { adapter, asked } = carrier()
  const { ask, move, counts } = ratesWith([adapter])
  const together = await Promise.all([ask(), ask(), ask()])
  expect(together.map(({ adapters }) => adapters[0]!.cache)).toEqual(['miss', 'joined', 'joined'])
  expect((await ask()).adapters[0]!.cache).toBe('hit')
  await move(10 * minute - 1)
  expect((await ask()).adapters[0]!.cache).toBe('hit')
  expect(asked).toHaveLength(1)
  await move(1)
  expect((await ask()).methods[0]!.price_excl).toBe(2)
  expect(counts()).toEqual({ carrier: { hits: 2, joined: 2, misses: 2, stale: 0 } })
})

test('an answer that comes too late for one quote is there for the next, unless a newer one is', async () => {
  const answers: ((amount: number) => void)[] = []
  const { adapter } = carrier({
    quote: () =>
      new Promise((resolve) =>
        answers.push((excl) => resolve([{ ...door, ...price({ excl, taxRate: 0, currency: 'eur' }) }])),
      ),
  })
  const { ask, move, settle } = ratesWith([adapter])
  const tooLate = async () => {
    const asked = ask()
    await settle()
    await move(2_500)
    return (await asked).adapters[0]!.result
  }
  expect(await tooLate()).toBe('failed')
  expect(await tooLate()).toBe('failed')
  answers[1]!(7)
  await settle()
  answers[0]!(5)
  await settle()
  expect((await ask()).adapters[0]).toMatchObject({ cache: 'hit', methods: [{ price_excl: 7 }] })
})

test('a late answer that is wrong is dropped', async () => {
  let answer: (wrong: unknown) => void = () => {}
  const { adapter } = carrier({
    quote: () => new Promise((resolve) => (answer = resolve as typeof answer)) as never,
  })
  const { ask, move, settle } = ratesWith([adapter])
  const asked = ask()
  await settle()
  await move(2_500)
  await asked
  answer('wrong')
  await settle()
  const again = ask()
  await settle()
  answer([door])
  expect((await again).adapters[0]).toMatchObject({ cache: 'miss', result: 'methods' })
})

test('what an adapter cannot see makes no difference, and what it can see does', async () => {
  const { adapter, asked } = carrier()
  const { ask } = ratesWith([adapter])
  await ask()
  await ask((body) => {
    Object.assign(body, { checkout_id: 99 })
    Object.assign(body.quote, { id: 99, created_at: '2026-02-02T10:00:00+01:00' })
    Object.assign(body.customer, { email: 'other@shop.example', lastname: 'Other' })
    Object.assign(body.billing_address, { country: 'de' })
    Object.assign(body.shipping_address, { city: 'Utrecht', address1: 'Other street' })
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ checkout_id: undefined })
  expect(Object.keys((asked[0] as { quote: object }).quote)).not.toContain('id')
  const changes: ((body: Parameters<NonNullable<Parameters<typeof ask>[0]>>[0]) => void)[] = [
    (body) => Object.assign(body.shipping_address, { zipcode: '9999ZZ' }),
    (body) => Object.assign(body.quote, { weight: 4321 }),
    (body) => Object.assign(body.quote.products[0]!, { quantity: 7 }),
    (body) => Object.assign(body.quote, { price_incl: '1.23' }),
    (body) => Object.assign(body.shop, { currency: 'usd' }),
    (body) => Object.assign(body.shop, { language: 'de' }),
  ]
  for (const change of changes) await ask(change)
  await ask(undefined, 'another-shop')
  expect(asked).toHaveLength(2 + changes.length)
})

test('the checkout shares what the cart was answered, where it asks nothing more', async () => {
  const { adapter, asked } = carrier({ estimate: 'quote' })
  const { ask, askEstimate } = ratesWith([adapter])
  const estimated = await askEstimate()
  const quoted = await ask()
  expect([estimated.adapters[0]!.cache, quoted.adapters[0]!.cache]).toEqual(['miss', 'hit'])
  expect(quoted.methods).toEqual(estimated.methods)
  expect(asked).toHaveLength(1)
})

type Key = (request: { shipping_address: { country?: string; zipcode?: string } }) => string

test.each<[string, Key?]>([
  ['the key of every adapter'],
  ['a key of its own', ({ shipping_address: { country, zipcode } }) => `${country} ${zipcode}`],
])('a zipcode has one key in every way to write it, for cart and checkout, with %s', async (_, key) => {
  const { adapter, asked } = carrier({ estimate: 'quote', cache: { ttl: 60_000, ...(key && { key }) } })
  const { ask, askEstimate } = ratesWith([adapter])
  const to = (country: string, zipcode: string) => (body: { shipping_address: object }) =>
    void Object.assign(body.shipping_address, { country, zipcode })
  await askEstimate(to('nl', '1016GV'))
  await ask(to('nl', '1016 GV'))
  await ask(to('nl', 'NL-1016 gv'))
  // The adapter gets what the customer typed.
  expect(asked).toMatchObject([{ shipping_address: { zipcode: '1016GV' } }])
  await ask(to('gb', 'PO3 5LX'))
  await ask(to('gb', 'po35lx'))
  await ask(to('gb', 'PO35 1AA'))
  await ask(to('gb', 'PO35'))
  expect(asked).toHaveLength(4)
})

test('an adapter with needs of its own is asked again by the checkout, and sees of the cart what it declared', async () => {
  const { adapter, asked } = carrier({
    estimate: 'quote',
    needs: ['shipping_address.country', 'customer.type'],
  })
  const { ask, askEstimate } = ratesWith([adapter])
  await askEstimate()
  await ask((body) => Object.assign(body.customer, { type: 'private' }))
  expect(asked).toMatchObject([
    { shipping_address: { country: 'nl' }, customer: {} },
    { customer: { type: 'private' } },
  ])
  expect(asked[0]).not.toHaveProperty('shipping_address.zipcode')
})

test('an adapter that estimates in its own way has its own answers for it', async () => {
  const { adapter, asked } = carrier({ estimate: async () => [{ ...door, id: 'rough' }] })
  const { ids, askEstimate } = ratesWith([adapter])
  expect((await askEstimate()).methods[0]!.id).toBe('rough')
  expect((await askEstimate()).adapters[0]!.cache).toBe('hit')
  expect(await ids()).toEqual(['door'])
  expect(asked).toHaveLength(1)
})

test('that there is no method is kept for a minute, and a failure is not kept at all', async () => {
  const quote = vi.fn(async () => ({ none: 'closed' }) as never)
  const { ask, move } = ratesWith([carrier({ quote }).adapter])
  await ask()
  await move(minute - 1)
  expect((await ask()).adapters[0]).toMatchObject({ cache: 'hit', result: 'none', reason: 'closed' })
  await move(1)
  quote.mockRejectedValue(new Error('down'))
  await ask()
  await ask()
  expect(quote).toHaveBeenCalledTimes(3)
})

test('an older answer stands in while the carrier fails, as long as staleFor says and no longer', async () => {
  let fails = false
  const { adapter, asked } = carrier({ cache: { ttl: 10 * minute, staleFor: 5 * minute } })
  const { quote } = adapter
  adapter.quote = async (...args: Parameters<typeof quote>) => {
    if (fails) throw new Error('down')
    return quote.apply(adapter, args)
  }
  const { ask, move } = ratesWith([adapter])
  await ask()
  fails = true
  await move(12 * minute)
  const stale = await ask()
  expect(stale.adapters[0]).toMatchObject({ cache: 'stale', result: 'methods' })
  expect(stale.adapters[0]!.notes).toEqual(['an older answer (failed: Error)'])
  await move(3 * minute)
  expect((await ask()).methods).toEqual([])
  fails = false
  expect((await ask()).methods[0]!.price_excl).toBe(2)
  expect(asked).toHaveLength(2)
})

test('an adapter with a key of its own may need what is personal', async () => {
  const { adapter, asked } = carrier({
    needs: ['shipping_address.address1', 'shipping_address.zipcode'],
    cache: { ttl: minute, key: ({ shipping_address }) => `${shipping_address.zipcode}` },
  } as Partial<AnyRateAdapter>)
  const { ask } = ratesWith([adapter])
  await ask()
  await ask((body) => Object.assign(body.shipping_address, { address1: 'Elsewhere' }))
  await ask(undefined, 'another-shop')
  expect(asked).toHaveLength(2)
})

test('no answer is older than its time, and none crosses from one shop to another', async () => {
  const question = fc.record({
    wait: fc.integer({ min: 0, max: 4 * minute }),
    shop: fc.constantFrom('a', 'b', 'c'),
    zipcode: fc.constantFrom('1000AA', '2000BB'),
    weight: fc.constantFrom(100, 200),
    fails: fc.boolean(),
  })
  const ttl = 3 * minute
  const staleFor = 2 * minute
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 2, maxLength: 30 }), async (questions) => {
      let fails = false
      const setup = ratesWith([
        {
          name: 'carrier',
          needs: ['shipping_address.zipcode'],
          cache: { ttl, staleFor },
          async quote({ shipping_address, quote }: Parameters<AnyRateAdapter['quote']>[0], ctx) {
            if (fails) throw new Error('down')
            const title = [ctx.shop.id, shipping_address.zipcode, quote.weight, ctx.now()].join(' ')
            return [{ ...door, title }]
          },
        },
      ])
      for (const { wait, shop, zipcode, weight, ...one } of questions) {
        await setup.move(wait)
        fails = one.fails
        const change = (body: { shipping_address: object; quote: object }) => {
          Object.assign(body.shipping_address, { zipcode })
          Object.assign(body.quote, { weight })
        }
        const { methods, adapters } = await setup.ask(change, shop)
        if (methods.length === 0) continue
        const [of, to, heavy, at] = methods[0]!.title.split(' ')
        expect([of, to, heavy]).toEqual([shop, zipcode, String(weight)])
        const age = setup.world.now() - Number(at)
        expect(age).toBeLessThan(adapters[0]!.cache === 'stale' ? ttl + staleFor : ttl)
      }
    }),
    { numRuns: sized(25, 200) },
  )
})
