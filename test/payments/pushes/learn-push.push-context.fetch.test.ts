import { expect, onTestFinished, test } from 'vitest'
import type { PushReader } from '../../../src/payments/adapter-context.ts'
import { listLanes } from '../../../src/webhooks/lanes.ts'
import { minute, paid, paymentsWith } from '../../helpers/provider.ts'
import { push } from '../../helpers/push.ts'
import { runBackground } from '../../helpers/run.ts'

const second = 1_000

/** A payment service whose pushes only say what to fetch, or whose certificate is fetched. Its answers are as the test says. */
function fetching(reader: PushReader) {
  const made = paymentsWith({ push: reader })
  const { workings, world, move } = made
  const service: { answer: () => Response | Promise<Response>; calls: number[] } = {
    answer: () => Response.json({}),
    calls: [],
  }
  world.outgoing.fetch = async () => {
    service.calls.push(world.now())
    return service.answer()
  }
  const background = runBackground(workings)
  onTestFinished(async () => {
    const stopping = background.stop()
    await move(5 * second)
    await stopping
  })
  return {
    ...made,
    service,
    take: (body: string) => push(workings, body),
    lane: async () => (await listLanes(workings.store, { now: world.now(), kind: 'push', limit: 5 }))[0],
  }
}

const reading = {
  verify: () => true,
  async read(_push, { fetch }) {
    const answer = await fetch('https://psp.example/events/1')
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
    await answer.json()
    return { reference: 'tr_1', report: paid }
  },
} satisfies PushReader

const cutOff = () =>
  new Response(
    new ReadableStream({
      pull(body) {
        body.error(new TypeError('terminated', { cause: new Error('other side closed') }))
      },
    }),
  )

test.each([
  ['status 503', () => new Response('', { status: 503 })],
  ['a reset', () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNRESET') }))],
  ['a reset in the middle of an answer', cutOff],
  ['no answer', () => new Promise<never>(() => {})],
] as const)(
  '%s to the fetch of read closes the lane of its service, which is probed',
  async (_what, fails) => {
    const { start, take, service, move, lane, status } = fetching(reading)
    await start()
    service.answer = fails
    await take('{}')
    await move(15 * minute)
    expect(await lane()).toMatchObject({ state: expect.stringMatching('closed|probing'), waiting: 1 })
    service.answer = () => Response.json({})
    await move(minute)
    expect(await status()).toBe('paid')
    expect(await lane()).toBeUndefined()
  },
)

test.each([
  ['a push that the service does not know', () => new Response('', { status: 404 })],
  ['an answer that the adapter cannot read', () => new Response('<html>')],
])('%s is about that push, and its lane stays open', async (_what, answer) => {
  const { take, service, move, lane } = fetching(reading)
  service.answer = answer
  await take('{}')
  await move(15 * minute)
  expect(await lane()).toMatchObject({ state: 'open', failures: 0, refused: 1 })
})

test('a service that answers 429 to the fetch of read is called for no push before its Retry-After is over', async () => {
  const { start, take, service, move, world, status } = fetching(reading)
  await start()
  service.answer = () => new Response('', { status: 429, headers: { 'retry-after': '600' } })
  const from = world.now()
  for (let number = 1; number <= 6; number++) await take(`{"push":${number}}`)
  await move(10 * minute - second)
  // Those that were open when the first one was answered.
  expect(service.calls.filter((at) => at > from)).toEqual([])
  expect(service.calls.length).toBeLessThanOrEqual(4)
  service.answer = () => Response.json({})
  await move(minute)
  expect(await status()).toBe('paid')
})

const verifying = {
  async verify({ body }, { fetch }) {
    const answer = await fetch('https://psp.example/certificate')
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
    return body.toString() !== 'forged'
  },
  read: () => ({ reference: 'tr_1', report: paid }),
} satisfies PushReader

test('a service that answers 429 to the fetch of verify is not called before its Retry-After is over', async () => {
  const { take, service, move } = fetching(verifying)
  service.answer = () => new Response('', { status: 429, headers: { 'retry-after': '600' } })
  for (let tries = 1; tries <= 20; tries++) {
    await expect(take('{}')).rejects.toMatchObject({ code: 'PUSH_NOT_VERIFIED' })
    await move(10 * second)
  }
  expect(service.calls).toHaveLength(1)
  service.answer = () => Response.json({})
  await move(10 * minute)
  await take('{}')
  expect(service.calls).toHaveLength(2)
})
