import { expect, test } from 'vitest'
import { Background } from '../../../src/use-cases/background.ts'
import { serviceOutages } from '../../../src/use-cases/payments/failing-services.ts'
import { ServiceFailureCounts } from '../../../src/use-cases/payments/service-failures.ts'
import { takePush } from '../../../src/use-cases/payments/take-push.ts'
import { hour, minute, paymentsWith } from '../provider.ts'

const second = 1_000
const of = { kind: 'start', adapter: 'psp', shopId: 'default' } as const

test('a service that hangs is seen by other processes within seconds: why, since when and for how many calls', async () => {
  let hangs = true
  const started = () => (hangs ? new Promise<never>(() => {}) : { redirect: 'https://psp.example/1' })
  const { workings, start, stored, move, world } = paymentsWith({ start: started })
  const background = new Background(workings)
  background.start()
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
  await background.stop()
})

test('good starts and pushes write nothing about the service', async () => {
  const { workings, start, move } = paymentsWith({ push: { verify: () => true, read: () => [] } })
  const noted: unknown[] = []
  workings.store.noteServiceFailures = async (_node, failures) => void noted.push(failures)
  const background = new Background(workings)
  background.start()
  await start()
  await takePush(workings, 'default', workings.payments[0]!, {
    body: Buffer.from('x'),
    headers: {},
    query: '',
  })
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
  const background = new Background(workings)
  background.start()
  const push = (body: string) =>
    expect(
      takePush(workings, 'default', workings.payments[0]!, {
        body: Buffer.from(body),
        headers: {},
        query: '',
      }),
    ).rejects.toMatchObject({ code: 'PUSH_NOT_VERIFIED' })
  for (let one = 0; one < 20; one++) await push(`${one}`)
  failure = new Error('words of a stranger')
  await push('last')
  await move(5 * second)
  await background.stop()
  expect(await workings.store.pushes({ limit: 10 })).toEqual([])
  const [outage, ...others] = await serviceOutages(workings.store, {
    kind: 'push',
    since: 0,
    now: world.now(),
  })
  expect(others).toEqual([])
  expect(outage).toMatchObject({ adapter: 'psp', calls: 21, failure: 'push.verify failed: Error' })
  expect(new Set(refused)).toEqual(new Set(['psp refused']))
  expect(refused).toHaveLength(21)
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
