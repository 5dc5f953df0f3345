import { beforeAll, describe, expect, test } from 'vitest'
import { laneLines } from '../../../src/cli/webhooks/lane-words.ts'
import type { LaneView } from '../../../src/use-cases/lane-view.ts'
import { delivered, open, paid } from '../../stores/cases/store-case.ts'
import type { Commands } from '../command.ts'
import { failAll, folderWithOrders, hangPushes, now, owe, pushOf } from '../waiting-orders.ts'

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
    const again = { limit: 99, perLane: 99, owner: 'a', now, leaseUntil: now + 60_000 }
    for (const one of await store.claimWebhooks(again)) await store.settleWebhook(one, delivered(now))
  }))
})

describe('lanes show', () => {
  test('of an open lane whose orders are refused says why, when they are tried next and what to do', async () => {
    const { out } = await run('lanes', 'show', 'webhook', 'red', 'refuses.example')
    expect(out).toContain('Lane of webhooks of shop red to refuses.example: open')
    expect(out).toMatch(/^ {2}next try {2}2\d{3}-/m)
    expect(out).toContain('  2 webhooks: status 404, such as order 71')
    expect(out).toContain('purveyor webhooks list --shop red')
    expect(out).toContain('  refused   2, each on its own, so the lane stays open')
    expect(out).not.toContain('0 in a row')
    expect(out).toContain('purveyor lanes open webhook red refuses.example')
    const { out: listed } = await run('lanes', 'list', '--shop', 'red')
    expect(listed).toMatch(/^webhook +red +refuses\.example +open .* 2 +status 404 \(2 on their own\)$/m)
    expect((await run.json('doctor')).results).toContainEqual({
      name: 'refused webhooks',
      verdict: 'warn',
      says: expect.stringMatching(
        /^Webhooks of shop red to refuses\.example: open since \S+ \S+, status 404 \(2 on their own\)$/,
      ),
      remedy: 'Ask the shop about it: purveyor lanes show webhook red refuses.example',
    })
  })

  test('of a closed lane of pushes says why they fail', async () => {
    const { out } = await run('lanes', 'show', 'push', 'red', 'psp')
    expect(out).toContain('through psp: closed')
    expect(out).toContain('  4 pushes: no answer within 2000 ms')
    expect(out).toContain('purveyor lanes open push red psp')
  })

  test('of a lane that works again shows its last outage, and the list names it for a day', async () => {
    const { out } = await run('lanes', 'show', 'webhook', 'red', 'was-down.example')
    expect(out).toMatch(
      /^ {2}outage {4}2\S+ \S+ to 2\S+ \S+, last: status 503; 4 webhooks waited at the end/m,
    )
    const listed = await run('lanes', 'list')
    expect(listed.out).toContain('Ended since 2')
    expect(listed.out).toContain('purveyor lanes show webhook red was-down.example')
    const lanes = await run.json('lanes', 'list')
    expect(lanes.map(({ to }: { to: string }) => to).sort()).toEqual(['psp', 'refuses.example'])
  })
})

test('lanes open makes due what was refused on its own too', async () => {
  const { out } = await run('lanes', 'open', 'webhook', 'red', 'refuses.example')
  expect(out).toBe('The lane is open. 2 calls are tried now. If they fail, it closes again.')
})

test('lanes list leaves out calls under way of lanes in which nothing fails, and --all shows them', async () => {
  const { run: runHere } = await folderWithOrders(async (store) => {
    const oweAt = async (orderId: string, host: string, at: number) => {
      const webhookUrl = `https://${host}/x`
      const { attempt } = await store.openAttempt(open({ shopId: 'red', orderId, webhookUrl, now: at }))
      await store.learn('red', orderId, attempt.id, [paid], { source: 'report', now: at })
    }
    // A slow machine takes minutes until it runs the commands.
    await oweAt('1', 'works.example', now + 600_000)
    await oweAt('2', 'waits.example', now - 300_000)
    await owe(store, '3', 'failed-once.example')
    const claim = { limit: 99, perLane: 99, owner: 'a', now, leaseUntil: now + 60_000 }
    const failure = { at: now, ms: 1, version: 1, status: 503, failure: 'status 503', answer: '' }
    for (const one of await store.claimWebhooks(claim))
      if (one.orderId === '3')
        await store.postponeWebhook(one, failure, { dueAt: now + 5_000, retryAfter: undefined })
  })
  const listed = async (...args: string[]) =>
    (await runHere.json('lanes', 'list', ...args)).map(({ to }: { to: string }) => to)
  expect(await listed()).toEqual(['waits.example', 'failed-once.example'])
  expect((await listed('--all')).toSorted()).toEqual([
    'failed-once.example',
    'waits.example',
    'works.example',
  ])
  const { out } = await runHere('lanes', 'list')
  expect(out).toContain('1 other lane has calls under way. To list it too: purveyor lanes list --all')
  expect((await runHere('lanes', 'list', '--all')).out).not.toContain('under way')
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
