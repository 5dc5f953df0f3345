import { expect, test } from 'vitest'
import { Background } from '../../src/use-cases/background.ts'
import { day, minute, paid, paymentsWith } from './provider.ts'

test('a payment that has come to rest is kept as long as it is set, and erased after that', async () => {
  const { workings, start, report, move } = paymentsWith({})
  workings.retention = 90 * day
  const workForAMinute = async () => {
    const background = new Background(workings)
    background.start()
    await move(minute)
    await background.stop()
  }
  await start()
  await report(paid)
  await workForAMinute()
  await move(89 * day)
  await start({ id: 1002 })
  await workForAMinute()
  expect((await workings.store.payment('default', '1001'))?.status).toBe('paid')
  await move(2 * day)
  await workForAMinute()
  expect(await workings.store.payment('default', '1001')).toBeUndefined()
  expect(await workings.store.payment('default', '1002')).toBeDefined()
})
