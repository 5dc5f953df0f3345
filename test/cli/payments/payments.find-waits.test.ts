import { beforeAll, describe, expect, test } from 'vitest'
import { time } from '../../../src/printable.ts'
import { open, redirect } from '../../stores/cases/store-case.ts'
import type { Commands } from '../command.ts'
import { failAll, folderWithOrders, hangPushes, now, owe, pushOf, started } from '../waiting-orders.ts'

let run: Commands

const hour = 3_600_000
/** Pending orders, whose pushes wait. An order whose webhook fails, and some whose lane is closed. */
beforeAll(async () => {
  ;({ run } = await folderWithOrders(async (store) => {
    await started(store, '61', 'tr_6')
    await started(store, '62', 'tr_62')
    const { attempt: unasked } = await store.openAttempt(open({ shopId: 'red', orderId: '67', now }))
    const end = { expiresAt: now + hour, checkAt: now + hour }
    await store.noteStart(unasked, { ...redirect, reference: 'tr_67' }, end)
    for (const id of ['62', '63', '64', '65']) await pushOf(store, id, `{"payment":"tr_${id}"}`)
    await hangPushes(store)
    await owe(store, '71', 'refuses.example')
    await failAll(store, 404)
    for (const order of ['81', '82', '83', '84']) await owe(store, order, 'down.example')
    await failAll(store, 503, now + 2 * hour)
    await owe(store, '85', 'down.example')
  }))
})

describe('payments find', () => {
  test('says how the order stands before the lane of its pushes, why that fails, and how to look at it', async () => {
    const { out } = await run('payments find 61')
    expect(out).toMatch(/pending +the customer or the payment service \(psp\); expires /)
    expect(out).toMatch(/not asked yet; next 2\d{3}-/)
    expect(out).toContain(
      '; 4 pushes wait in its lane of pushes, which is closed (no answer within 2000 ms): purveyor lanes show push red psp',
    )
    expect(out).toContain('Next: purveyor payments ask 61 --shop red')
  })

  test('proposes to ask the service only where its adapter has status: the first check ends the attempt otherwise', async () => {
    const { out } = await run('payments find 67')
    expect(out).toMatch(
      /pending +the customer or the payment service \(psp\); expires \S+ \S+; 4 pushes wait/,
    )
    expect(out).toContain('Next: purveyor payments show 67 --shop red')
  })

  test('of an order in a closed lane names the next probe of the lane, and not the time of the order', async () => {
    const lane = await run.json('lanes show webhook red down.example')
    for (const order of ['81', '85']) {
      const { out } = await run('payments find', order)
      const says =
        "the lane of webhooks to down.example is closed; the lane's next probe, which calls one order, "
      expect(out).toContain(says)
      const [, at = ''] = /calls one order, (\S+ \S+?)(?:;| {2}|$)/m.exec(out) ?? []
      expect(Math.abs(Date.parse(`${at}Z`) - lane.nextTryAt)).toBeLessThan(60_000)
    }
    // Refused on its own, it has its own time in an open lane.
    const own = `refuses.example; next try ${time(now + hour)}`
    expect(await run.out('payments find 71')).toContain(own)
  })

  test('says why the webhook of an order failed last', async () => {
    expect(await run.out('payments find 71')).toContain('last failure: status 404')
    const listed = await run.out('webhooks list --shop red')
    expect(listed).toMatch(/red +71 +paid +due .* refuses\.example +status 404$/m)
  })
})
