import { beforeAll, describe, expect, test } from 'vitest'
import { laneLines } from '../../../src/cli/webhooks/lane-words.ts'
import type { LaneView } from '../../../src/webhooks/lanes.ts'
import { again, claim, failed } from '../../stores/cases/store-case.ts'
import type { Commands } from '../command.ts'
import { deliverAll, failAll, folderWithOrders, hangPushes, now, owe, pushOf } from '../waiting-orders.ts'

let run: Commands

/** A lane that is open with refused orders, one that is closed, and one that is open again after an outage. */
beforeAll(async () => {
  ;({ run } = await folderWithOrders(async (store) => {
    for (const id of ['62', '63', '64', '65']) await pushOf(store, id, `{"payment":"tr_${id}"}`)
    await hangPushes(store)

    for (const order of ['71', '72']) await owe(store, order, 'refuses.example')
    await failAll(store, 404)
    for (const order of ['81', '82', '83', '84']) await owe(store, order, 'was-down.example')
    await failAll(store, 503)
    await store.openLane({ kind: 'webhook', shopId: 'red', to: 'was-down.example' }, now)
    await deliverAll(store)
  }))
})

describe('lanes show', () => {
  test('of an open lane whose orders are refused says why, when they are tried next and what to do', async () => {
    const { out } = await run('lanes show webhook red refuses.example')
    for (const words of [
      'Lane of webhooks of shop red to refuses.example: open',
      '  2 webhooks: status 404, such as order 71',
      'purveyor webhooks list --shop red',
      '  refused   2, each on its own, so the lane stays open',
      'purveyor lanes open webhook red refuses.example',
    ])
      expect(out).toContain(words)
    expect(out).toMatch(/^ {2}next try {2}2\d{3}-/m)
    expect(out).not.toContain('0 in a row')
    expect(await run.out('lanes list --shop red')).toMatch(
      /^webhook +red +refuses\.example +open .* 2 +status 404 \(2 on their own\)$/m,
    )
    const says =
      /^Webhooks of shop red to refuses\.example: open since \S+ \S+, status 404 \(2 on their own\)(, and 1 other lane)?$/
    expect((await run.json('doctor')).results).toContainEqual({
      ...{ name: 'lanes', verdict: 'warn', says: expect.stringMatching(says) },
      remedy: 'purveyor lanes list',
    })
  })

  test('of a closed lane of pushes says why they fail', async () => {
    const { out } = await run('lanes show push red psp')
    expect(out).toContain('through psp: closed')
    expect(out).toContain('  4 pushes: no answer within 2000 ms')
    expect(out).toContain('purveyor lanes open push red psp')
  })

  test('of a lane that works again shows its last outage, and the list names it for a day', async () => {
    const { out } = await run('lanes show webhook red was-down.example')
    expect(out).toMatch(
      /^ {2}outage {4}2\S+ \S+ to 2\S+ \S+, last: status 503; 4 webhooks waited at the end/m,
    )
    const listed = await run.out('lanes list')
    expect(listed).toContain('Ended since 2')
    expect(listed).toContain('purveyor lanes show webhook red was-down.example')
    const lanes = await run.json('lanes list')
    expect(lanes.map(({ to }: { to: string }) => to).sort()).toEqual(['psp', 'refuses.example'])
  })
})

test('lanes open makes due what was refused on its own too', async () => {
  const { out } = await run('lanes open webhook red refuses.example')
  expect(out).toBe('The lane is open. 2 calls are tried now. If they fail, it closes again.')
})

test('lanes list leaves out calls under way of lanes in which nothing fails, and --all shows them', async () => {
  const { run: runHere } = await folderWithOrders(async (store) => {
    // A slow machine takes minutes until it runs the commands.
    await owe(store, '1', 'works.example', 'red', now + 600_000)
    await owe(store, '2', 'waits.example', 'red', now - 300_000)
    await owe(store, '3', 'failed-once.example')
    for (const one of await store.claimWebhooks({ ...claim, now, leaseUntil: now + 60_000 }))
      if (one.orderId === '3') await store.postponeWebhook(one, failed(now), again(now + 5_000))
  })
  const listed = async (...args: string[]) =>
    (await runHere.json('lanes list', ...args)).map(({ to }: { to: string }) => to)
  expect(await listed()).toEqual(['waits.example', 'failed-once.example'])
  const all = ['failed-once.example', 'waits.example', 'works.example']
  expect((await listed('--all')).toSorted()).toEqual(all)
  const { out } = await runHere('lanes list')
  expect(out).toContain('1 other lane has calls under way. To list it too: purveyor lanes list --all')
  expect(await runHere.out('lanes list --all')).not.toContain('under way')
})

const lane: LaneView = {
  ...{ kind: 'webhook', shopId: 'red', to: 'hooks.red.example', state: 'closed', waiting: 2, refused: 0 },
  ...{ since: 0, closedAt: 0, nextTryAt: undefined, failures: 2, lastFailure: 'status 503', outages: [] },
}

test('a failure that is a sentence goes on with the order without a full stop', () => {
  const failure = 'The name server is silent.'
  const lines = laneLines(lane, [{ failure, calls: 2, orderId: '1001' }], 0)
  expect(lines).toContain('  2 webhooks: The name server is silent, such as order 1001')
})

test('an outage of starts says how many failed, and that of one shop is of this shop', () => {
  const outages = [{ beganAt: 0, endedAt: 60_000, failure: 'Error', calls: 3 }]
  const starts = { ...lane, kind: 'starts', state: 'open', to: 'psp', waiting: 0, outages } as const
  const none = { failures: undefined, since: undefined, closedAt: undefined, lastFailure: undefined }
  expect(laneLines({ ...starts, ...none }, [], 0).filter((line) => line !== false)).toEqual([
    'Lane of starts of shop red by psp: open',
    '  outage    1970-01-01 00:00:00 to 1970-01-01 00:01:00, last: Error; 3 starts failed',
  ])
})
