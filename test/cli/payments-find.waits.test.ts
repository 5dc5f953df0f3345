import { beforeAll, describe, expect, test } from 'vitest'
import { failAll, folderWithOrders, hangPushes, owe, pushOf, started } from './waiting-orders.ts'

let run: Awaited<ReturnType<typeof folderWithOrders>>['run']

/** Two pending orders, of which pushes wait for one, and an order whose webhook fails. */
beforeAll(async () => {
  ;({ run } = await folderWithOrders(async (store) => {
    await started(store, '61', 'tr_6')
    await started(store, '62', 'tr_62')
    for (const id of ['62', '63', '64', '65']) await pushOf(store, id, `{"payment":"tr_${id}"}`)
    await hangPushes(store)
    await owe(store, '71', 'refuses.example')
    await failAll(store, 404)
  }))
})

describe('payments find', () => {
  test("says how the order stands before anything else, and names no lane for another order's push", async () => {
    const { out } = await run('payments', 'find', '61')
    expect(out).toMatch(/pending +the customer or the payment service \(psp\); expires /)
    expect(out).toMatch(/not asked yet; next 2\d{3}-/)
    expect(out).not.toContain('lane')
    expect(out).toContain('Next: purveyor payments ask 61 --shop red')
  })

  test('names the lane in which a push of this very order waits, with why it failed', async () => {
    const { out } = await run('payments', 'find', '62')
    expect(out).toContain(
      'a push of it waits in the lane of pushes through psp, which is closed (no answer within 1500 ms)',
    )
    expect(out).toContain('Next: purveyor lanes show push red psp')
  })

  test('says why the webhook of an order failed last', async () => {
    expect((await run('payments', 'find', '71')).out).toContain('last failure: status 404')
    expect((await run('webhooks', 'list', '--shop', 'red')).out).toMatch(
      /red +71 +paid +due .* refuses\.example +status 404$/m,
    )
  })
})
