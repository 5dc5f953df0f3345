import { beforeAll, describe, expect, test } from 'vitest'
import { open, paid, redirect, times } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore, printing, saying } from '../command.ts'

const start = Date.UTC(2026, 2, 2, 10)

const cwd = folderWith()
/** The orders of each shop, all paid. */
const shops = { bikes: ['1042', '7'], cars: ['1043', '7'], default: [] }

beforeAll(async () => {
  await inStore(cwd, async (store) => {
    for (const [shopId, orders] of Object.entries(shops)) {
      await store.ensureShop(shopId, { tokenHash: shopId, sealedToken: 'sealed', now: start })
      for (const orderId of orders) {
        const { attempt } = await store.openAttempt(open({ shopId, orderId, orderNumber: `ORD${orderId}` }))
        await store.noteStart(attempt, { ...redirect, reference: `tr_${orderId}` }, times(60))
        await store.learn(shopId, orderId, attempt.id, [paid], { source: 'report', now: start })
      }
    }
  })
})

const run = commandsIn(cwd)

describe('a command about an order that names no shop', () => {
  test('takes the shop that has the order, beside one that is called default', async () => {
    const shown = await run('payments show 1042')
    expect(shown).toMatchObject(printing(0, /^.*Order 1042 of shop bikes: paid/))
    expect(await run.out('webhooks show 1043')).toContain('Order 1043 of shop cars')
    expect(await run.out('webhooks replay 1043 --dry-run')).toContain('shop cars, order 1043')
    const refunded = await run.out('payments report 1042 refunded --amount 1 --currency eur')
    expect(refunded).toMatch(/^Order 1042 is paid/)
  })

  test('lists the shops to choose from where several have such an order, and changes nothing', async () => {
    const err = 'purveyor: Order 7 is in several shops. Choose one with --shop: bikes, cars'
    for (const line of ['payments show', 'payments report cancelled', 'webhooks show', 'webhooks replay']) {
      const [group = '', name = '', ...more] = line.split(' ')
      expect(await run(group, name, '7', ...more), line).toEqual({ code: 2, out: '', err })
    }
    expect(await run.out('payments show 7 --shop cars')).toContain('of shop cars')
  })

  test('says where the order is when another shop is named, and how to look for what no shop has', async () => {
    const err = 'purveyor: There is no payment for order 1042 in shop cars. There is one in shop bikes.'
    expect(await run('payments show 1042 --shop cars')).toMatchObject({ code: 2, err })
    expect(await run('webhooks show 99')).toMatchObject(saying(2, 'purveyor payments find 99'))
  })
})

describe('a webhook that is sent again, or a payment that is asked about', () => {
  test('is named as the lists and show name it', async () => {
    const payment = await inStore(cwd, (store) => store.payment('bikes', '1042'))
    const attempt = payment!.attempts[0]!.id
    for (const name of ['1042', 'ORD1042', 'tr_1042', attempt, ' ORD1042 ']) {
      const { code, out } = await run('webhooks replay', name, '--dry-run')
      expect([code, out], name).toEqual([0, '1 webhook would be sent again:\n  shop bikes, order 1042'])
    }
    const replayed = [{ shop: 'bikes', order: '1042' }]
    expect(await run.json('webhooks replay tr_1042')).toEqual({ dryRun: false, replayed })
  })

  test('is to be chosen where more than one has the name', async () => {
    const several = saying(2, /^purveyor: 29\.34 names 4 payments\. Choose one: \S+ --shop \S+, /)
    expect(await run('webhooks replay 29.34')).toEqual({ ...several, out: '' })
    const none = saying(2, 'There is no payment for order ORD1042 in shop cars.')
    expect(await run('webhooks replay ORD1042 --shop cars')).toMatchObject(none)
    expect((await run('webhooks replay nobody')).err).toContain('purveyor payments find nobody')
  })
})

test.each([
  'payments list',
  'payments export --since 1d',
  'payments anomalies',
  'payments anomalies --each',
  'payments close-anomalies --kind underpaid --dry-run',
  'payments show 1042',
  'webhooks list',
  'webhooks replay',
  'lanes list',
  'pushes list',
  'pushes show abcdefgh1234',
])('%s refuses a shop that there is not: an empty list would say that nothing waits', async (line) => {
  const err = 'purveyor: There is no shop bike. See: purveyor shop list'
  expect(await run(`${line} --shop bike`)).toEqual({ code: 2, out: '', err })
})
