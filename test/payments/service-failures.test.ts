import { expect, test } from 'vitest'
import { ServiceCalls, ServiceCallsFull, ServiceFailureCounts } from '../../src/payments/payment-memory.ts'
import { serviceOutages } from '../../src/payments/service-failures.ts'
import { checkAttempts } from '../background.ts'
import { hour, minute, paid, paymentsWith } from '../helpers/provider.ts'
import { push } from '../helpers/push.ts'
import { runBackground } from '../helpers/run.ts'
import { throwing } from '../helpers/world.ts'

const second = 1_000
const of = { kind: 'start', adapter: 'psp', shopId: 'default' } as const

test('a service that hangs is seen by other processes within seconds: why, since when and for how many calls', async () => {
  let hangs = true
  const started = () => (hangs ? new Promise<never>(() => {}) : { redirect: 'https://psp.example/1' })
  const { workings, start, stored, move, world } = paymentsWith({ start: started })
  runBackground(workings)
  const begun = world.now()
  const calls = [1, 2, 3].map((id) =>
    expect(start({ id })).rejects.toMatchObject({ code: 'PAYMENT_START_TIMEOUT' }),
  )
  await move(4 * second)
  await Promise.all(calls)
  await move(5 * second)
  const outages = () => serviceOutages(workings.store, { kind: 'start', since: begun, now: world.now() })
  expect(await outages()).toMatchObject([
    {
      ...{ adapter: 'psp', failing: true, calls: 3, failure: 'no answer within 4000 ms', okAt: undefined },
      ...{
        firstAt: begun + 4 * second,
        lastAt: begun + 4 * second,
        shops: [{ shopId: 'default', calls: 3 }],
      },
    },
  ])
  expect((await stored('2')).attempts[0]?.asked).toEqual({
    at: begun + 4 * second,
    answer: 'start failed: no answer within 4000 ms',
  })
  hangs = false
  await start({ id: 4 })
  const okAt = world.now()
  await move(5 * second)
  expect(await outages()).toMatchObject([{ failing: true, okAt }])
  await move(minute)
  expect(await outages()).toMatchObject([{ failing: false, okAt, calls: 3 }])
})

test('good starts and pushes write nothing about the service', async () => {
  const { workings, start, move } = paymentsWith({ push: { verify: () => true, read: () => [] } })
  const noted: unknown[] = []
  workings.store.noteServiceFailures = async (_node, failures) => void noted.push(failures)
  const background = runBackground(workings)
  await start()
  await push(workings, 'x')
  await move(minute)
  await background.stop()
  expect(noted).toEqual([])
})

test('refused pushes are counted by adapter and shop, and none of them is stored', async () => {
  let failure: Error | undefined
  const verify = () => {
    if (failure) throw failure
    return false
  }
  const { workings, move, world } = paymentsWith({ push: { verify, read: () => [] } })
  const refused: string[] = []
  workings.world.observer = {
    ...workings.world.observer,
    pushed: (adapter, outcome) => void refused.push(`${adapter} ${outcome}`),
  }
  const background = runBackground(workings)
  const refusedPush = (body: string) =>
    expect(push(workings, body)).rejects.toMatchObject({ code: 'PUSH_NOT_VERIFIED' })
  for (let one = 0; one < 20; one++) await refusedPush(`${one}`)
  failure = new Error('words of a stranger')
  await refusedPush('last')
  await move(5 * second)
  await background.stop()
  expect(await workings.store.pushes({ limit: 10 })).toEqual([])
  const outages = await serviceOutages(workings.store, { kind: 'push', since: 0, now: world.now() })
  expect(outages).toHaveLength(1)
  expect(outages).toMatchObject([{ adapter: 'psp', calls: 21, failure: 'push.verify failed: Error' }])
  expect(refused).toEqual(Array(21).fill('psp refused'))
})

test('an outage begins anew after a success and a pause, or after an hour without calls', () => {
  const counts = new ServiceFailureCounts()
  const counted = () => counts.take().map(({ firstAt, calls }) => [firstAt, calls])
  counts.failed(of, 'x', 0)
  counts.succeeded(of, second)
  counts.failed(of, 'x', 5 * minute)
  expect(counted()).toEqual([[0, 2]])
  counts.failed(of, 'x', 60 * minute)
  expect(counted()).toEqual([[0, 3]])
  counts.succeeded(of, 61 * minute)
  counts.failed(of, 'x', 66 * minute)
  expect(counted()).toEqual([[66 * minute, 1]])
  counts.failed(of, 'x', 66 * minute + hour + 1)
  expect(counted()).toEqual([[66 * minute + hour + 1, 1]])
})

test('two hundred shops are stored at a time, and nothing is lost where the store fails', () => {
  const counts = new ServiceFailureCounts()
  for (let shop = 0; shop < 250; shop++) counts.failed({ ...of, shopId: `${shop}` }, 'x', shop)
  const first = counts.take()
  counts.failed({ ...of, shopId: '0' }, 'y', 1_000)
  counts.putBack(first)
  expect(first).toHaveLength(200)
  const again = counts.take()
  expect(again.map(({ shopId }) => shopId)).toEqual(first.map(({ shopId }) => shopId))
  expect(again[0]).toMatchObject({ failure: 'y', calls: 2 })
  expect(counts.take()).toHaveLength(50)
  expect(counts.take()).toEqual([])
})

/** Calls that come back when the test says so, and how many were open at a time. */
function gate() {
  const waiting: (() => void)[] = []
  let most = 0
  let calls = 0
  return {
    async wait() {
      calls++
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        most = Math.max(most, waiting.length)
      })
    },
    open: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
    get seen() {
      return { most, calls }
    },
  }
}

test('an order with 60 live attempts is closed 8 at a time, and all of it is', async () => {
  const cancels = gate()
  let refuses = true
  const { start, stored, settle } = paymentsWith({
    // Each start is another amount: an attempt of its own.
    start: ({ id }) => ({ redirect: 'https://psp.example/1', reference: id }),
    cancel: async () => (refuses ? throwing('not now')() : cancels.wait().then(() => undefined)),
  })
  for (let cents = 10; cents < 70; cents++) {
    await start({ price_incl: `20.${cents}` })
    await settle()
  }
  refuses = false
  await start({ price_incl: '99.00' })
  for (let turn = 0; turn < 30 && cancels.seen.calls < 60; turn++) {
    await settle()
    cancels.open()
  }
  cancels.open()
  await settle()
  expect(cancels.seen).toEqual({ most: 8, calls: 60 })
  const { attempts, status } = await stored()
  expect(attempts.filter(({ facts }) => facts.some(({ kind }) => kind === 'cancelled'))).toHaveLength(60)
  expect(status).toBe('pending')
})

test('attempts that are due together are asked for 8 at a time', async () => {
  const asked = gate()
  const { start, workings, move, settle, status } = paymentsWith({
    start: ({ id }) => ({ redirect: 'https://psp.example/1', reference: id }),
    status: () => asked.wait().then(() => paid),
  })
  for (let id = 1; id <= 40; id++) await start({ id })
  await move(2 * minute)
  const checking = checkAttempts(workings)
  let over = false
  void checking.then(() => (over = true))
  for (let turn = 0; turn < 60 && !over; turn++) {
    await settle()
    asked.open()
  }
  await checking
  expect(asked.seen).toEqual({ most: 8, calls: 40 })
  expect(await status('40')).toBe('paid')
  await move(hour)
})

test('what waits is bounded too, and one adapter never waits for another', async () => {
  const calls = new ServiceCalls()
  const slow = gate()
  const all = Array.from({ length: 508 }, () => calls.run('cancel', 'slow', () => slow.wait()))
  await expect(calls.run('cancel', 'slow', () => slow.wait())).rejects.toBeInstanceOf(ServiceCallsFull)
  await expect(calls.run('cancel', 'other', async () => 'at once')).resolves.toBe('at once')
  await expect(calls.run('check', 'slow', async () => 'at once')).resolves.toBe('at once')
  calls.end()
  slow.open()
  const ended = await Promise.allSettled(all)
  // Running calls are finished, waiting ones never begin.
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  expect(slow.seen).toEqual({ most: 8, calls: 8 })
})
