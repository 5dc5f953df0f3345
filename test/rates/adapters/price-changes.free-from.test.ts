import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { none } from '../../../src/rates/adapter.ts'
import { flatRate, freeFrom, markup, onFailure } from '../../../src/rates/index.ts'
import { door, ratesWith } from '../../helpers/rates.ts'
import { asking } from './quote.ts'

const paid = flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' })

test('every method is free from the value on, at the same tax rate', async () => {
  const { rates, ask } = asking(markup({ amount: 1 }, freeFrom({ value: '75' }, paid)))
  expect(await rates({ value: '74.99' })).toEqual(['door 6.00'])
  expect(await ask({ value: '75.00' })).toMatchObject([
    { price_excl: '0', price_incl: '0', tax_rate: '0.21' },
  ])
})

test('the value may be one of the shop, and a wrong one is refused at once', async () => {
  const settings = z.object({ free: z.string() })
  const wrapped = freeFrom({ settings, value: ({ free }) => free }, paid)
  const { ctx, rates } = asking(wrapped)
  ctx.settings = { free: '10' }
  expect(await rates({ value: '30' })).toEqual(['door 0'])
  expect(() => freeFrom({ value: -1 }, paid)).toThrow('freeFrom() cannot use these options')
})

test('what the adapter refuses stays refused, and a wrong price is never free', async () => {
  const adapter = (name: string, answer: unknown) => ({ name, quote: () => answer }) as AnyRateAdapter
  const { ask } = ratesWith(
    [
      adapter('island', none('no service there')),
      adapter('wrong', [{ ...door, price_excl: null }, { ...door, id: 'b', price_incl: -1 }, door]),
    ].map((one) => freeFrom({ value: 0 }, onFailure(one, paid))),
  )
  const { adapters, methods } = await ask()
  expect(adapters[0]).toMatchObject({ result: 'none', reason: 'no service there' })
  expect(adapters[1]!.leftOut.map(({ place }) => place)).toEqual([1, 2])
  expect(methods).toMatchObject([{ id: 'door', price_incl: 0 }])
})
