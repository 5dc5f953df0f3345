import { expect, test } from 'vitest'
import { Background } from '../../src/provider/background.ts'
import { movableWorld, providerIn } from '../helpers/world.ts'

const minute = 60_000

/** Background work that has begun, and whose deliveries end when the test says so. */
async function delivering() {
  const { world, move, settle, lines } = movableWorld()
  const workings = providerIn(world, {})
  const under: { go: () => void; fail: (error: Error) => void }[] = []
  const seen = { runs: 0, most: 0 }
  workings.store = {
    ...workings.store,
    nextWebhookDue: () => {
      seen.runs++
      return new Promise<undefined>((resolve, reject) => {
        under.push({ go: () => resolve(undefined), fail: reject })
        seen.most = Math.max(seen.most, under.length)
      })
    },
  }
  const background = new Background(workings)
  background.start()
  await settle()
  return { background, under, seen, move, settle, lines }
}

test('work that is woken while it runs runs once more after it, however often, and never beside itself', async () => {
  const { background, under, seen, settle } = await delivering()
  for (let call = 0; call < 3; call++) background.wake()
  await settle()
  expect(seen).toEqual({ runs: 1, most: 1 })
  under.shift()!.go()
  await settle()
  expect(seen).toEqual({ runs: 2, most: 1 })
  under.shift()!.go()
  await settle()
  expect(seen).toEqual({ runs: 2, most: 1 })
  await background.stop()
})

test('work that is woken between two looks takes the place of the next one', async () => {
  const { background, under, seen, move, settle } = await delivering()
  under.shift()!.go()
  await move(4_000)
  expect(seen.runs).toBe(1)
  background.wake()
  await settle()
  expect(seen.runs).toBe(2)
  under.shift()!.go()
  await move(2_000)
  // Five seconds after the last look, not after the one before.
  expect(seen.runs).toBe(2)
  await move(3_000)
  expect(seen.runs).toBe(3)
  under.shift()!.go()
  await background.stop()
})

test('a stop waits for what is under way, and nothing runs after it', async () => {
  const { background, under, seen, move, settle } = await delivering()
  let stopped = false
  const stopping = background.stop().then(() => (stopped = true))
  background.wake()
  await settle()
  expect(stopped).toBe(false)
  under.shift()!.go()
  await stopping
  await move(60 * minute)
  background.wake()
  await settle()
  expect(seen.runs).toBe(1)
})

test('a stop between two looks leaves no timer behind', async () => {
  const { background, under, seen, move, settle } = await delivering()
  under.shift()!.go()
  await settle()
  await background.stop()
  await move(60 * minute)
  expect(seen.runs).toBe(1)
  // It starts again as if it had never run.
  background.start()
  await settle()
  expect(seen.runs).toBe(2)
  under.shift()!.go()
  await background.stop()
})

test('work that fails is logged and tried again after five seconds', async () => {
  const { background, under, seen, move, settle, lines } = await delivering()
  under.shift()!.fail(new Error('gone'))
  await settle()
  const message = 'background work failed, will be tried again'
  expect(lines).toMatchObject([{ level: 'error', message, fields: { err: expect.any(Error) } }])
  await move(4_999)
  expect(seen.runs).toBe(1)
  await move(1)
  expect(seen.runs).toBe(2)
  under.shift()!.go()
  await background.stop()
})

test('what shops wait for comes first after a start: upkeep begins once owed webhooks are claimed, or that failed', async () => {
  for (const claim of ['go', 'fail'] as const) {
    const { world, settle } = movableWorld()
    const workings = providerIn(world, {})
    const { store } = workings
    const claiming = Promise.withResolvers<void>()
    const begun: string[] = []
    workings.store = {
      ...store,
      async claimWebhooks(options) {
        begun.push('claim')
        await claiming.promise
        return store.claimWebhooks(options)
      },
      forget(before, limit) {
        begun.push('forget')
        return store.forget(before, limit)
      },
    }
    const background = new Background(workings)
    background.start()
    await settle()
    expect(begun).toEqual(['claim'])
    if (claim === 'go') claiming.resolve()
    else claiming.reject(new Error('gone'))
    await settle()
    expect(begun).toEqual(['claim', 'forget'])
    await background.stop()
  }
})

test('a node that stops skips no rate adapter any more', async () => {
  const { world, move } = movableWorld()
  const workings = providerIn(world, {})
  const open = { adapter: 'courier', shop: undefined, since: 0, nextTry: 1_000, lastFailure: 'x' }
  workings.rates.memory.breakers.toNote = () => [open] as never
  const background = new Background(workings)
  background.start()
  await move(minute)
  expect(await workings.store.breakers({ now: world.now() })).toMatchObject([{ adapter: 'courier' }])
  await background.stop()
  expect(await workings.store.breakers({ now: world.now() })).toEqual([])
})
