import { beforeAll, describe, expect, test } from 'vitest'
import { type Commands, saying } from '../command.ts'
import { folderWithOrders, started } from '../waiting-orders.ts'

let run: Commands

/** Pending payments: the service says that one is paid and one is open, and fails for the third. */
beforeAll(async () => {
  ;({ run } = await folderWithOrders(async (store) => {
    for (const order of ['lost', 'open', 'gone']) await started(store, order, `tr_${order}`)
  }))
})

describe('payments ask', () => {
  test('learns of a payment whose push was lost, and says so', async () => {
    const { code, out, err } = await run('payments ask lost --shop red')
    expect(err).toBe('')
    expect(out).toMatch(/^psp about attempt \S+: paid 29\.34 eur$/m)
    expect(out).toContain('Order lost is paid now. It was pending.')
    expect(code).toBe(0)
    const shown = await run.out('payments show lost --shop red')
    expect(shown).toMatch(/asked 2\S+ \S+: paid 29\.34 eur; not asked again/)
  })

  test('says that the service still waits for the customer, and payments show keeps when and what', async () => {
    const { out } = await run('payments ask open --shop red')
    expect(out).toContain('Order open is pending, as before.')
    const shown = await run.out('payments show open --shop red')
    expect(shown).toMatch(/psp about attempt \S+: asked 2\S+ \S+: pending; next 2/)
    expect(await run.out('payments find open')).toMatch(/asked 2\S+ \S+: pending; next 2/)
  })

  test('fails where the service gives no answer, with its reason', async () => {
    const { code, out } = await run('payments ask gone --shop red --json')
    expect(JSON.parse(out)).toMatchObject({
      ...{ before: 'pending', status: 'pending' },
      asked: [{ adapter: 'psp', answer: 'failed: psp answered 401', answered: false }],
    })
    expect(code).toBe(1)
    // By the name that a push of the service has for it.
    expect(await run.out('payments ask tr_gone')).toContain('Order gone is pending, as before.')
    const none = await run('payments ask nothing --shop red')
    expect(none).toMatchObject(saying(2, 'There is no payment for order nothing in shop red'))
  })
})
