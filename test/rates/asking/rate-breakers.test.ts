import { expect, test } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { none, PurveyorError } from '../../../src/index.ts'
import { door, ratesWith } from '../../helpers/rates.ts'

const second = 1_000

/** A carrier that hangs, refuses or answers by shop, beside a tariff that always answers. */
function carrierOf(how: (shopId: string) => 'hangs' | 'fails' | 'refuses' | 'answers' | 'unset' | 401) {
  const asked: string[] = []
  const carrier: AnyRateAdapter = {
    name: 'carrier',
    async quote(_request, { shop }) {
      asked.push(shop.id)
      const what = how(shop.id)
      if (what === 'hangs') return new Promise(() => {})
      if (what === 'refuses') return none('too far')
      if (what === 'answers') return [door]
      if (what === 'unset') throw new PurveyorError('SETTINGS_MISSING', 'The shop has no key')
      throw Object.assign(new Error('no'), { status: what === 'fails' ? 503 : what })
    },
  }
  const rates = ratesWith([carrier, { name: 'table', quote: () => [{ ...door, id: 'own' }] }])
  /** The carrier's part of an answer for this shop. */
  const result = async (shopId: string) => {
    const asking = rates.ask(undefined, shopId)
    await rates.settle()
    if (how(shopId) === 'hangs') await rates.move(2.5 * second)
    return (await asking).adapters[0]!.result
  }
  return { ...rates, asked, result }
}

test('a carrier that is down for all costs five calls and then one for each pause, not five for each shop', async () => {
  let down = true
  const { asked, result, ask, move, lines } = carrierOf(() => (down ? 'hangs' : 'answers'))
  const shops = Array.from({ length: 200 }, (_, place) => `shop-${place}`)
  for (const shop of shops.slice(0, 5)) expect(await result(shop)).toBe('failed')
  for (const shop of shops.slice(5)) {
    const { adapters, methods } = await ask(undefined, shop)
    expect(adapters[0]).toMatchObject({
      result: 'skipped',
      reason: 'paused for 10 s after 5 failures in a row, of several shops',
    })
    expect(methods.map(({ id }) => id)).toEqual(['own'])
  }
  expect(asked).toHaveLength(5)

  await move(10 * second)
  const tried = ask(undefined, 'shop-7')
  expect((await ask(undefined, 'shop-8')).adapters[0]!.result).toBe('skipped')
  await move(10 * second)
  expect((await tried).adapters[0]!.result).toBe('failed')
  expect(asked).toEqual([...shops.slice(0, 5), 'shop-7'])

  down = false
  expect(await result('shop-8')).toBe('methods')
  for (const shop of shops) expect(await result(shop)).toBe('methods')
  const downs = lines.filter(({ fields }) => fields.code === 'CARRIER_DOWN')
  expect(downs.map(({ level }) => level)).toEqual(['warn'])
  const said = lines.filter(({ message }) => /skipped for all|answers again/.test(message))
  expect(said.map(({ message }) => message)).toEqual([
    'rate adapter fails for several shops: it is skipped for all',
    'rate adapter answers again',
  ])
})

test('shops whose keys have expired open the breaker for themselves alone', async () => {
  const { result, breakers } = carrierOf((shop) => (shop.startsWith('expired') ? 'fails' : 'answers'))
  for (let time = 0; time < 20; time++) {
    expect(await result('expired-1')).not.toBe('methods')
    expect(await result(`good-${time}`)).toBe('methods')
    expect(await result('expired-2')).not.toBe('methods')
    expect(await result('expired-3')).not.toBe('methods')
  }
  const alone = breakers.open().map(({ shop }) => shop)
  expect(alone.sort()).toEqual(['expired-1', 'expired-2', 'expired-3'])
  // No other shop asks for a while: the failures still count only for this one.
  for (let time = 0; time < 20; time++) for (const shop of [1, 2, 3]) await result(`expired-${shop}`)
  expect(await result('good-1')).toBe('methods')
})

test('where only shops with expired keys have asked, the next good shop tries before them and closes the breaker for good', async () => {
  const { result, move, breakers } = carrierOf((shop) => (shop.startsWith('expired') ? 'fails' : 'answers'))
  const expired = async () => {
    for (const shop of [1, 2, 3]) await result(`expired-${shop}`)
  }
  await expired()
  await expired()
  expect(breakers.open()).toMatchObject([{ adapter: 'carrier', shop: undefined }])
  await move(11 * second)
  await expired()
  expect(await result('good')).toBe('methods')
  for (let time = 0; time < 10; time++) {
    await expired()
    await move(5 * second)
    expect(await result('good')).toBe('methods')
  }
})

test('where nobody else asks, the shops that failed try themselves', async () => {
  let down = true
  const { result, move } = carrierOf(() => (down ? 'fails' : 'answers'))
  for (const shop of ['a', 'b', 'c', 'a', 'b']) expect(await result(shop)).toBe('failed')
  down = false
  expect(await result('a')).toBe('skipped')
  await move(20 * second)
  expect(await result('a')).toBe('methods')
  expect(await result('b')).toBe('methods')
})

test.each([401, 'unset'] as const)(
  'what a carrier that is up answers to keys and carts, and missing settings, open nothing for others: %s',
  async (how) => {
    const { result } = carrierOf((shop) => (shop === 'good' ? 'answers' : how))
    for (let shop = 0; shop < 20; shop++) expect(await result(`${shop}`)).toBe('failed')
    expect(await result('good')).toBe('methods')
  },
)

test('an address that the adapter refuses closes nothing, and lets the next call try', async () => {
  let down = true
  const others = () => (down ? 'fails' : 'answers')
  const { result, move, asked } = carrierOf((shop) => (shop === 'far' ? 'refuses' : others()))
  for (const shop of ['a', 'b', 'far', 'c', 'a', 'b']) await result(shop)
  expect(await result('far')).toBe('skipped')
  await move(10 * second)
  expect(await result('far')).toBe('none')
  expect(await result('d')).toBe('failed')
  expect(await result('e')).toBe('skipped')
  expect(asked).toHaveLength(8)
  await move(10 * second)
  down = false
  expect(await result('far')).toBe('none')
  expect(await result('e')).toBe('methods')
})

test('shops that the adapter refuses take nobody else the turn to try', async () => {
  let down = true
  const others = () => (down ? 'fails' : 'answers')
  const { result, move } = carrierOf((shop) => (shop.startsWith('far') ? 'refuses' : others()))
  for (const shop of ['a', 'b', 'c', 'a', 'b']) await result(shop)
  down = false
  for (let time = 0; time < 19; time++) {
    await move(second)
    await result(`far-${time}`)
    expect(await result('a')).toBe('skipped')
  }
  await move(second)
  expect(await result('far')).toBe('none')
  expect(await result('a')).toBe('methods')
})

test('open breakers are listed with why and until when, and can be released', async () => {
  let down = true
  const { result, move, breakers, world } = carrierOf(() => (down ? 'hangs' : 'answers'))
  expect(breakers.open()).toEqual([])
  const before = world.now()
  for (let time = 0; time < 5; time++) await result('a')
  const lastFailure = 'no answer within 2500 ms'
  const since = before + 5 * 2.5 * second
  const ofA = { adapter: 'carrier', shop: 'a', since, nextTry: since + 10 * second, lastFailure }
  expect(breakers.open()).toEqual([ofA])
  for (const shop of ['b', 'b', 'c']) await result(shop)
  const all = { adapter: 'carrier', shop: undefined, since: since + 7.5 * second, lastFailure }
  expect(breakers.open()).toMatchObject([all, ofA])
  await move(60 * second)
  expect(breakers.open().map(({ nextTry }) => nextTry)).toEqual([world.now(), world.now()])

  expect(breakers.release('carrier', 'nobody')).toBe(0)
  expect(breakers.release('other')).toBe(0)
  down = false
  expect(breakers.release('carrier', 'a')).toBe(1)
  expect(breakers.release('carrier')).toBe(1)
  expect(breakers.open()).toEqual([])
  expect(await result('a')).toBe('methods')
})

test('it remembers no more shops than it can hold', async () => {
  const { breakers } = carrierOf(() => 'answers')
  for (let shop = 0; shop < 30_000; shop++) {
    for (let time = 0; time < 5; time++)
      breakers.failed('carrier', `${shop}`, { reason: 'no', ofCarrier: true })
  }
  expect(breakers.open()).toHaveLength(10_001)
})
