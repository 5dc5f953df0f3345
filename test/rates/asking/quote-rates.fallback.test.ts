import { expect, test } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { none } from '../../../src/index.ts'
import { combine, flatRate, markup, onFailure, taxed, when } from '../../../src/rates/index.ts'
import { door, ratesWith } from '../../helpers/rates.ts'
import { throwing } from '../../helpers/world.ts'

const down: AnyRateAdapter = { name: 'down', quote: async () => throwing('down')() }
const no: AnyRateAdapter = { name: 'no', quote: () => none('not there') }
const good = flatRate({ id: 'good', title: 'Good', excl: '5', taxRate: '0.21' })
const elsewhere = when({ countries: ['be'] }, good)

test.each<[string, AnyRateAdapter[], string]>([
  ['two adapters', [down, no], 'down'],
  ['a combination', [combine('both', [down, no])], 'both/down'],
  ['one inside another', [taxed({ rate: 0 }, combine('a', [combine('b', [no, down]), no]))], 'a/b/down'],
  ['the first that has any', [combine('both', [down, no], 'first')], 'both/down'],
  ['a fallback that does not go there', [onFailure(down, elsewhere)], 'down'],
  [
    'the same in a combination',
    [combine('both', [markup({ percent: 1 }, onFailure(down, elsewhere)), no])],
    'both/down',
  ],
  ['a combination that failed', [combine('both', [down])], 'both'],
])('after a failure without methods the shop gets rates.fallback: %s', async (_, adapters, failed) => {
  const { ask, lines } = ratesWith(adapters, { fallback: () => [{ ...door, id: 'fallback' }] })
  const { methods, fallback } = await ask()
  expect([fallback, methods.map(({ id }) => id)]).toEqual([true, ['fallback']])
  const [error] = lines.filter(({ level }) => level === 'error')
  expect(error!.message).toMatch(/^(all )?adapters failed \(.*\); returned the fallback rates$/)
  expect(error!.fields.failed).toEqual([failed])
})

test.each<[string, AnyRateAdapter]>([
  ['no adapter failed', combine('both', [no, elsewhere])],
  ['others have methods', combine('both', [down, good])],
  ['its fallback has methods', combine('both', [onFailure(down, good), no])],
  ['the condition of the whole is not true', when({ countries: ['be'] }, combine('both', [down, good]))],
])('there is no rates.fallback where %s', async (_, adapter) => {
  const { ask } = ratesWith([adapter], { fallback: () => [{ ...door, id: 'fallback' }] })
  expect((await ask()).fallback).toBe(false)
})

test('that nothing is left after a failure is not cached', async () => {
  let fails = true
  const carrier: AnyRateAdapter = {
    name: 'carrier',
    quote: async () => (fails ? throwing('down')() : [door]),
  }
  const holder: AnyRateAdapter = {
    name: 'holder',
    cache: { ttl: 60_000 },
    async quote(quote, ctx) {
      const answer = ctx.ask({ adapter: carrier }, { quote })
      return Promise.resolve(answer).catch(() => none('nothing'))
    },
  }
  const { ids, ask } = ratesWith([holder], { fallback: () => [{ ...door, id: 'fallback' }] })
  expect(await ids()).toEqual(['fallback'])
  expect((await ask()).adapters[0]).toMatchObject({ result: 'none', failed: ['holder/carrier'] })
  fails = false
  expect(await ids()).toEqual(['door'])
})
