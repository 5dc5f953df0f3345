import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { StorePort } from '../../src/store-port.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { open, paid, redirect, times } from '../stores/cases/store-case.ts'
import { folderWith, purveyor } from './command.ts'

const start = Date.UTC(2026, 2, 2, 10)

/** A store with these shops and the orders that each has, all paid. */
async function storeOf(shops: Record<string, string[]>): Promise<string> {
  const cwd = folderWith()
  const store = sqliteStore({ file: join(cwd, 'data/purveyor.db') })
  await store.open()
  for (const [shopId, orders] of Object.entries(shops)) {
    await store.ensureShop(shopId, { tokenHash: shopId, sealedToken: 'sealed', now: start })
    for (const orderId of orders) {
      const { attempt } = await store.openAttempt(open({ shopId, orderId, orderNumber: `ORD${orderId}` }))
      await store.noteStart(attempt, { ...redirect, reference: `tr_${orderId}` }, times(60))
      await store.learn(shopId, orderId, attempt.id, [paid], { source: 'report', now: start })
    }
  }
  await store.close()
  return cwd
}

let cwd: string
beforeAll(async () => {
  cwd = await storeOf({ bikes: ['1042', '7'], cars: ['1043', '7'], default: [] })
})

const inStore = async <T>(use: (store: StorePort) => Promise<T>): Promise<T> => {
  const store = sqliteStore({ file: join(cwd, 'data/purveyor.db') })
  await store.open()
  return use(store).finally(() => store.close())
}

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await purveyor(args, { cwd })
  return { code, out: stdout.trimEnd(), err: stderr.trimEnd() }
}

describe('a command about an order that names no shop', () => {
  test('takes the shop that has the order, beside one that is called default', async () => {
    const shown = await run('payments', 'show', '1042')
    expect([shown.code, shown.out.split('\n')[0]]).toEqual([
      0,
      expect.stringContaining('Order 1042 of shop bikes: paid'),
    ])
    expect((await run('webhooks', 'show', '1043')).out).toContain('Order 1043 of shop cars')
    expect((await run('webhooks', 'replay', '1043', '--dry-run')).out).toContain('shop cars, order 1043')
    expect(
      (await run('payments', 'report', '1042', 'refunded', '--amount', '1', '--currency', 'eur')).out,
    ).toMatch(/^Order 1042 is paid/)
  })

  test('lists the shops to choose from where several have such an order, and changes nothing', async () => {
    for (const args of [
      ['payments', 'show', '7'],
      ['payments', 'report', '7', 'cancelled'],
      ['webhooks', 'show', '7'],
      ['webhooks', 'replay', '7'],
    ]) {
      const { code, out, err } = await run(...args)
      expect([code, out], args.join(' ')).toEqual([2, ''])
      expect(err).toBe('purveyor: Order 7 is in several shops. Choose one with --shop: bikes, cars')
    }
    expect((await run('payments', 'show', '7', '--shop', 'cars')).out).toContain('of shop cars')
  })

  test('says where the order is when another shop is named, and how to look for what no shop has', async () => {
    const other = await run('payments', 'show', '1042', '--shop', 'cars')
    expect([other.code, other.err]).toEqual([
      2,
      'purveyor: There is no payment for order 1042 in shop cars. There is one in shop bikes.',
    ])
    expect(await run('webhooks', 'show', '99')).toMatchObject({
      code: 2,
      err: expect.stringContaining('purveyor payments find 99'),
    })
  })
})

describe('a webhook that is sent again, or a payment that is asked about', () => {
  test('is named as the lists and show name it', async () => {
    const payment = await inStore((store) => store.payment('bikes', '1042'))
    const attempt = payment!.attempts[0]!.id
    for (const name of ['1042', 'ORD1042', 'tr_1042', attempt, ' ORD1042 ']) {
      const { code, out } = await run('webhooks', 'replay', name, '--dry-run')
      expect([code, out], name).toEqual([0, '1 webhook would be sent again:\n  shop bikes, order 1042'])
    }
    expect(await run('webhooks', 'replay', 'tr_1042', '--json')).toMatchObject({
      code: 0,
      out: JSON.stringify({ dryRun: false, replayed: [{ shop: 'bikes', order: '1042' }] }),
    })
  })

  test('is to be chosen where more than one has the name', async () => {
    expect(await run('webhooks', 'replay', '29.34')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^purveyor: 29\.34 names 4 payments\. Choose one: \S+ --shop \S+, /),
    })
    expect(await run('webhooks', 'replay', 'ORD1042', '--shop', 'cars')).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no payment for order ORD1042 in shop cars.'),
    })
    expect((await run('webhooks', 'replay', 'nobody')).err).toContain('purveyor payments find nobody')
  })
})

test.each([
  [['payments', 'list']],
  [['payments', 'export', '--since', '1d']],
  [['payments', 'anomalies']],
  [['payments', 'anomalies', '--each']],
  [['payments', 'close-anomalies', '--kind', 'underpaid', '--dry-run']],
  [['payments', 'show', '1042']],
  [['webhooks', 'list']],
  [['webhooks', 'replay']],
  [['lanes', 'list']],
  [['pushes', 'list']],
  [['pushes', 'show', 'abcdefgh1234']],
])('%s refuses a shop that there is not: an empty list would say that nothing waits', async (args) => {
  expect(await run(...args, '--shop', 'bike')).toMatchObject({
    code: 2,
    out: '',
    err: 'purveyor: There is no shop bike. See: purveyor shop list',
  })
})
