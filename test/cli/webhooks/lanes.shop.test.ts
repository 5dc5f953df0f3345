import { beforeAll, describe, expect, test } from 'vitest'
import type { Commands } from '../command.ts'
import { folderWithOrders, now } from '../waiting-orders.ts'

const minute = 60_000
let run: Commands

/** Outages of rates and starts: of shop red, of shop blue, of both, and of an adapter for all shops. Some are over. */
beforeAll(async () => {
  ;({ run } = await folderWithOrders(async (store) => {
    await store.ensureShop('blue', { tokenHash: 'blue', sealedToken: 'sealed', now })
    const rates = (shopId: string | undefined, lastFailure: string) => ({
      ...{ adapter: 'courier', shopId, since: now - 30 * minute, nextTry: undefined, lastFailure },
    })
    const ended = [rates(undefined, 'CarrierDown'), rates('blue', 'KeyOfBlue'), rates('red', 'KeyOfRed')]
    await store.noteBreakers('a', ended, now - 30 * minute)
    await store.noteBreakers('a', [], now - 20 * minute)
    const slow = { ...rates(undefined, 'SlowNow'), adapter: 'post' }
    await store.noteBreakers('a', [slow], now)
    const starts = (adapter: string, shopId: string, calls: number, lastAt: number) => ({
      ...({ kind: 'start', adapter, shopId, calls, firstAt: lastAt - 5 * minute, lastAt } as const),
      ...{ okAt: lastAt < now ? lastAt + minute : undefined, failure: `${adapter} of ${shopId}` },
    })
    const before = now - 25 * minute
    const past = [starts('psp', 'red', 3, before), starts('psp', 'blue', 4, before)]
    const cards = ['red', 'blue', 'green'].map((shop, at) => starts('cards', shop, 6 + at, now))
    await store.noteServiceFailures('a', [...past, starts('bank', 'blue', 5, before), ...cards])
  }))
})

const listed = async (...args: string[]) => await run.out('lanes list', ...args)

describe('lanes list --shop', () => {
  test('lists what concerns this shop, and says of an outage of the adapter as a whole that it is one', async () => {
    const out = await listed('--shop', 'red')
    expect(out).not.toMatch(/OfBlue|of blue|bank/)
    for (const line of [
      /, rates of shop red from courier, KeyOfRed: purveyor lanes show rates red courier$/m,
      /, rates of all shops from courier \(the adapter as a whole\), CarrierDown: purveyor lanes show rates @all courier$/m,
      /, starts of shop red by psp \(and of 1 other shop\), psp of red: purveyor lanes show starts red psp$/m,
      /^rates +@all +post +slow .* SlowNow$/m,
      /^starts +red +cards +failing .* cards of red; 6 starts of this shop, and some of 2 others, the last \S+ \S+$/m,
    ])
      expect(out).toMatch(line)
    expect(out).toContain('@all: the adapter as a whole, for all shops.')
  })

  test('a shop without an outage of its own has those of the adapter alone', async () => {
    await run('shop add yellow')
    const out = await listed('--shop', 'yellow')
    expect(out.match(/purveyor lanes show/g)).toHaveLength(1)
    expect(out).toContain('rates of all shops from courier (the adapter as a whole), CarrierDown')
    expect(await listed('--shop', 'yellow', '--kind', 'starts')).not.toContain('@all')
  })
})

test('lanes list of all shops says which shop an outage of starts concerns, or how many', async () => {
  const out = await listed()
  expect(out).toMatch(/, starts of shop blue by bank, bank of blue: purveyor lanes show starts @all bank$/m)
  expect(out).toMatch(/, starts of 2 shops by psp, psp of /m)
  expect(out).toMatch(/, rates of all shops from courier, CarrierDown: /m)
  expect(out).not.toContain('as a whole')
  const lanes = await run.json('lanes list --since 1h')
  const bank = lanes.find(({ to }: { to: string }) => to === 'bank')
  expect(bank).toMatchObject({ shop: '@all', outages: [{ shops: ['blue'], calls: 5 }] })
})
