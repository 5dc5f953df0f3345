import { expect, test } from 'vitest'
import { Background } from '../../src/use-cases/background.ts'
import { day, minute, paid, paymentsWith } from './provider.ts'

/** Runs what a provider does in the background for a minute. */
async function workForAMinute({
  workings,
  move,
}: Pick<ReturnType<typeof paymentsWith>, 'workings' | 'move'>) {
  const background = new Background(workings)
  background.start()
  await move(minute)
  await background.stop()
}

test('a payment that has come to rest is kept as long as it is set, and erased after that', async () => {
  const provider = paymentsWith({})
  const { workings, start, report, move } = provider
  workings.retention = 90 * day
  await start()
  await report(paid)
  await workForAMinute(provider)
  await move(89 * day)
  await start({ id: 1002 })
  await workForAMinute(provider)
  expect((await workings.store.payment('default', '1001'))?.status).toBe('paid')
  await move(2 * day)
  await workForAMinute(provider)
  expect(await workings.store.payment('default', '1001')).toBeUndefined()
  expect(await workings.store.payment('default', '1002')).toBeDefined()
})

test('the deliveries of a payment are listed for 30 days, however long the payment is kept', async () => {
  const provider = paymentsWith({})
  const { workings, start, report, status, move, calls } = provider
  const listed = async () => (await workings.store.deliveries('default', '1001')).length
  workings.retention = 90 * day
  await start()
  await report(paid)
  await workForAMinute(provider)
  expect([await status(), calls.length, await listed()]).toEqual(['paid', 1, 1])
  await move(29 * day)
  await workForAMinute(provider)
  expect(await listed()).toBe(1)
  await move(day)
  await workForAMinute(provider)
  expect(await listed()).toBe(0)
  expect((await workings.store.payment('default', '1001'))?.status).toBe('paid')
})
