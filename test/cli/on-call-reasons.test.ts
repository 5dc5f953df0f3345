import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryCall, StorePort } from '../../src/store.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { open, paid, redirect } from '../stores/cases/store-case.ts'
import { folderWith, purveyor } from './command.ts'

const source = `import { createProvider } from 'purveyor'

const answers = {
  tr_lost: { status: 'paid', amount: '29.34', currency: 'eur' },
  tr_open: { status: 'pending' },
}

export default createProvider({
  payments: {
    name: 'psp',
    methods: () => [],
    start: ({ id }) => ({ redirect: 'https://psp.example/' + id, reference: id }),
    status({ reference }) {
      if (answers[reference]) return answers[reference]
      throw new Error('psp answered 401')
    },
  },
})
`
const now = Date.now()
const hour = 3_600_000

let cwd: string
const inStore = async <T>(use: (store: StorePort) => Promise<T>): Promise<T> => {
  const store = sqliteStore({ file: join(cwd, 'data/purveyor.db') })
  await store.open()
  return use(store).finally(() => store.close())
}
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await purveyor(args, { cwd, env: { NODE_ENV: 'development' } })
  return { code, out: stdout.trimEnd(), err: stderr.trimEnd() }
}

async function started(store: StorePort, orderId: string, reference: string): Promise<void> {
  const { attempt } = await store.openAttempt(open({ shopId: 'red', orderId, now }))
  const times = { expiresAt: now + hour, checkAt: now + 60_000 }
  await store.noteStart('red', orderId, attempt.id, { ...redirect, reference }, times)
}

async function owe(store: StorePort, orderId: string, host: string): Promise<void> {
  const webhookUrl = `https://${host}/x`
  const { attempt } = await store.openAttempt(open({ shopId: 'red', orderId, webhookUrl, now }))
  await store.learn('red', orderId, attempt.id, [{ ...paid, at: now }], now)
}

async function failAll(store: StorePort, status: number, dueAt = now + hour): Promise<void> {
  const claim = { limit: 99, perLane: 99, owner: 'a', now, leaseUntil: now + 60_000 }
  const call: DeliveryCall = { at: now, ms: 1, version: 1, status, failure: `status ${status}`, answer: '' }
  for (const one of await store.claimWebhooks(claim))
    await store.postponeWebhook(one, call, { dueAt, retryAfter: undefined })
}

async function pushOf(store: StorePort, key: string, body: string): Promise<void> {
  const push = { shopId: 'red', adapter: 'psp', key, headers: {}, query: '', receivedAt: now }
  await store.keepPush({ ...push, body: Buffer.from(body).toString('base64') }, now)
}

async function hangPushes(store: StorePort): Promise<void> {
  const claim = { adapter: 'psp', limit: 99, perLane: 99, owner: 'a', now, leaseUntil: now + 60_000 }
  const failure = 'no answer within 1500 ms'
  for (const one of await store.claimPushes(claim))
    await store.postponePush(one, { dueAt: now + hour, failure, aboutPush: false }, now)
}

/** Orders that are pending while pushes wait, and lanes: open with refused orders, closed, and open again after an outage. */
beforeAll(async () => {
  cwd = folderWith({ 'provider.ts': source })
  await run('shop', 'add', 'red')
  await inStore(async (store) => {
    for (const [order, reference] of [
      ['61', 'tr_6'],
      ['62', 'tr_62'],
      ['lost', 'tr_lost'],
      ['open', 'tr_open'],
      ['gone', 'tr_gone'],
    ] as const)
      await started(store, order, reference)
    for (const id of ['62', '63', '64', '65']) await pushOf(store, id, `{"payment":"tr_${id}"}`)
    await hangPushes(store)

    for (const order of ['71', '72']) await owe(store, order, 'refuses.example')
    await failAll(store, 404)
    for (const order of ['81', '82', '83', '84']) await owe(store, order, 'was-down.example')
    await failAll(store, 503)
    await store.openLane({ kind: 'webhook', shopId: 'red', to: 'was-down.example' }, now)
    const again = { limit: 99, perLane: 99, owner: 'a', now, leaseUntil: now + 60_000 }
    for (const one of await store.claimWebhooks(again))
      await store.settleWebhook(one, {
        at: now,
        ms: 1,
        version: 1,
        status: 200,
        failure: undefined,
        answer: '',
      })
  })
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

describe('lanes show', () => {
  test('of an open lane whose orders are refused says why, when they are tried next and what to do', async () => {
    const { out } = await run('lanes', 'show', 'webhook', 'red', 'refuses.example')
    expect(out).toContain('Lane of webhooks of shop red to refuses.example: open')
    expect(out).toMatch(/^ {2}next try {2}2\d{3}-/m)
    expect(out).toContain('  2 webhooks: status 404, such as order 71')
    expect(out).toContain('purveyor webhooks list --shop red')
    expect(out).toContain('purveyor lanes open webhook red refuses.example')
  })

  test('of a closed lane of pushes says why they fail', async () => {
    const { out } = await run('lanes', 'show', 'push', 'red', 'psp')
    expect(out).toContain('through psp: closed')
    expect(out).toContain('  4 pushes: no answer within 1500 ms')
    expect(out).toContain('purveyor lanes open push red psp')
  })

  test('of a lane that works again shows its last outage, and the list names it for a day', async () => {
    const { out } = await run('lanes', 'show', 'webhook', 'red', 'was-down.example')
    expect(out).toMatch(
      /^ {2}outage {4}2\S+ \S+ to 2\S+ \S+, last: status 503; 4 webhooks waited at the end/m,
    )
    const listed = await run('lanes', 'list')
    expect(listed.out).toContain('Ended within the last 24 hours:')
    expect(listed.out).toContain('purveyor lanes show webhook red was-down.example')
    const lanes = JSON.parse((await run('lanes', 'list', '--json')).out)
    expect(lanes.map(({ to }: { to: string }) => to).sort()).toEqual(['psp', 'refuses.example'])
  })
})

describe('payments ask', () => {
  test('learns of a payment whose push was lost, and says so', async () => {
    const { code, out, err } = await run('payments', 'ask', 'lost', '--shop', 'red')
    expect(err).toBe('')
    expect(out).toMatch(/^psp about attempt \S+: paid 29\.34 eur$/m)
    expect(out).toContain('Order lost is paid now. It was pending.')
    expect(code).toBe(0)
    expect((await run('payments', 'show', 'lost', '--shop', 'red')).out).toMatch(
      /asked 2\S+ \S+: paid 29\.34 eur; not asked again/,
    )
  })

  test('says that the service still waits for the customer, and payments show keeps when and what', async () => {
    const { out } = await run('payments', 'ask', 'open', '--shop', 'red')
    expect(out).toContain('Order open is pending, as before.')
    expect((await run('payments', 'show', 'open', '--shop', 'red')).out).toMatch(
      /psp about attempt \S+: asked 2\S+ \S+: pending; next 2/,
    )
    expect((await run('payments', 'find', 'open')).out).toMatch(/asked 2\S+ \S+: pending; next 2/)
  })

  test('fails where the service gives no answer, with its reason', async () => {
    const { code, out } = await run('payments', 'ask', 'gone', '--shop', 'red', '--json')
    expect(JSON.parse(out)).toMatchObject({
      ...{ before: 'pending', status: 'pending' },
      asked: [{ adapter: 'psp', answer: 'failed: psp answered 401', answered: false }],
    })
    expect(code).toBe(1)
    expect(await run('payments', 'ask', 'nothing', '--shop', 'red')).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no payment for order nothing in shop red'),
    })
  })
})
