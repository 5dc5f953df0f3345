import { expect, test } from 'vitest'
import { time } from '../../../src/printable.ts'
import { again, claim, failed, minute, openOwed, start } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore } from '../command.ts'
import { deliverAll, failAll, folderWithOrders, now, owe } from '../waiting-orders.ts'

/** A store in which a shop's lane is closed, long ago, with six calls that wait. */
async function closedLane() {
  const cwd = folderWith()
  const run = commandsIn(cwd)
  await run('db migrate')
  await inStore(cwd, async (store) => {
    for (const orderId of '123456') await openOwed(store, { orderId, now: start })
    for (let call = 0; call < 3; call++) {
      const now = start + call * 10 * minute
      for (const owed of await store.claimWebhooks({ ...claim, now, leaseUntil: now + minute }))
        await store.postponeWebhook(owed, failed(now), again(now + minute))
    }
  })
  return { cwd, run }
}

test('a closed lane shows in the list, with no moment that has passed, and sending one order again opens it', async () => {
  const { cwd, run } = await closedLane()
  const before = Date.now()
  const listed: { dueAt: number; laneClosed: boolean }[] = await run.json('webhooks list')
  expect(listed).toHaveLength(6)
  for (const one of listed) {
    expect(one.laneClosed).toBe(true)
    expect(one.dueAt).toBeGreaterThanOrEqual(before)
  }
  // The lane calls one of them at that time, and not all.
  expect(await run.out('webhooks list')).toMatch(/ due, lane closed +\d+ +lane probe 2\S+ \S+ /)

  await run('webhooks replay 4')
  await inStore(cwd, async (store) => {
    const [lane] = await store.lanes({ now: Date.now(), limit: 5 })
    expect(lane).toMatchObject({ probeAt: undefined, failures: 0, waiting: 6 })
    const now = Date.now()
    expect(await store.claimWebhooks({ ...claim, now, leaseUntil: now + minute })).toHaveLength(6)
  })
})

test('the calls about an order are shown as the first, the last and how many', async () => {
  const { run } = await closedLane()
  const shown = await Promise.all([...'123456'].map((order) => run.out('webhooks show', order)))
  // All six at first, then one probe at a time.
  expect(shown.filter((one) => one.includes('(the last of 2 calls)')).length).toBeGreaterThan(0)
  for (const one of shown) {
    expect(one).toContain('version 1  status 500')
    expect(one).toMatch(
      /^ {2}Waits for the shop: the lane of webhooks to shop\.example is closed; the lane's next probe, which calls one order, \S+ \S+; last failure: status 500\nNext: purveyor lanes show webhook default shop\.example$/m,
    )
    expect(one).toContain('No provider runs on this store')
  }
})

test('a webhook that the shop accepted and did not read is seen, with its reminders and the next one', async () => {
  const accepted = now - 20 * minute
  const { run } = await folderWithOrders(async (store) => {
    for (const order of ['1', '2']) await owe(store, order, 'shop.example', 'red', accepted)
    await deliverAll(store, accepted)
    await store.remindUnread({ now: accepted + 15 * minute, limit: 9 })
    await deliverAll(store, accepted + 15 * minute)
    await owe(store, '3', 'shop.example')
    await deliverAll(store)
  })
  const { out } = await run('webhooks show 1')
  expect(out).toMatch(/status 200 {2}0 ms {2}\(the last of 2 calls\)$/m)
  expect(out).toContain(
    `The shop accepted it at ${time(accepted)} and has not read the status. Purveyor sends it again at ${time(accepted + 60 * minute)}, as a reminder.`,
  )
  const reminder = `again at ${time(now + 15 * minute)}, as a reminder.`
  expect(await run.out('webhooks show 3')).toContain(reminder)
  expect(await run.out('lanes list --shop red')).toContain(
    `Accepted by the shop, and its status not read:\n  shop red: 2 orders since ${time(accepted)}, next reminder ${time(accepted + 60 * minute)}: purveyor webhooks show 1 --shop red`,
  )
  expect(await run.out('lanes list --kind push')).not.toContain('Accepted')
  const unread =
    /^warn +unread webhooks +Shop red accepted 2 webhooks since \S+ \S+ and did not read the status$/m
  expect(await run.out('doctor')).toMatch(unread)
})

test('of an order says when its webhook is sent again, or why it was, also by its number', async () => {
  const { run } = await folderWithOrders(async (store) => {
    await owe(store, '71', 'refuses.example')
    await failAll(store, 404)
    await owe(store, '81', 'was-down.example')
    await failAll(store, 503, now)
    await deliverAll(store, now + 1)
  })
  const refused = await run.out('webhooks show ORD71')
  expect(refused).toMatch(/^Order 71 of shop red: /)
  expect(refused).toMatch(
    /^ {2}Waits for its webhook to refuses\.example; next try \S+ \S+; last failure: status 404\nNext: purveyor webhooks replay 71 --shop red$/m,
  )
  const sent = await run.out('webhooks show 81')
  expect(sent).toContain('(the last of 2 calls)')
  expect(sent).not.toContain('Next:')
  expect((await run('webhooks show ORD99')).err).toContain('There is no payment for order ORD99.')
})
