import { expect, test } from 'vitest'
import { checkAttempts } from '../background.ts'
import { day, hour, minute, paymentsWith } from '../helpers/provider.ts'

/** A payment service that notes which attempts it was asked to close. */
function withCancel(cancel: () => undefined | Promise<undefined> = () => undefined) {
  const closed: (string | undefined)[] = []
  let count = 0
  const setup = paymentsWith({
    start: () => ({ redirect: `https://psp.example/${++count}`, reference: `tr_${count}` }),
    cancel({ reference }) {
      closed.push(reference)
      return cancel()
    },
    status: () => ({ status: 'open' }),
  })
  return { ...setup, closed }
}

test('an attempt that our clock ends is closed at its service, once, and stays expired', async () => {
  const { start, closed, status, facts, checkAfter } = withCancel()
  await start()
  await checkAfter(hour + minute)
  expect([await status(), closed]).toEqual(['expired', ['tr_1']])
  await checkAfter(3 * day)
  expect([await status(), closed]).toEqual(['expired', ['tr_1']])
  expect(await facts()).toEqual([['open', 'expired', 'cancelled']])
})

test('what could not be closed is tried again', async () => {
  let down = true
  const { start, closed, lines, checkAfter } = withCancel(() =>
    down ? Promise.reject(new Error('down')) : undefined,
  )
  await start()
  await checkAfter(hour + minute)
  expect(lines.some(({ message }) => message.includes('Purveyor still checks it'))).toBe(true)
  down = false
  await checkAfter(day)
  expect(closed).toEqual(['tr_1', 'tr_1'])
})

test('an older attempt pays: the newest is closed, also where another process learned of the money', async () => {
  const { start, workings, closed, stored, settle, checkAfter } = withCancel(() =>
    Promise.reject(new Error('down')),
  )
  await start()
  await start({ price_incl: 20 })
  await settle()
  expect(closed).toEqual(['tr_1'])
  const [first] = (await stored()).attempts
  // As a command does, which has no adapters.
  const { shopId, orderId, id } = first!
  const paid = { word: 'paid', amount: '29.34', currency: 'eur' } as const
  await workings.store.learn(shopId, orderId, id, [paid], { source: 'report', now: workings.world.now() })
  expect((await stored()).status).toBe('paid')
  await checkAfter(5 * minute)
  expect(closed).toContain('tr_2')
})

test('an end that cannot be stored is a warning, and the attempt stays watched', async () => {
  const { start, move, workings, closed, lines, facts, checkAfter } = withCancel(async () => undefined)
  await start()
  await move(hour + minute)
  const { learn } = workings.store
  workings.store.learn = (shop, order, attempt, said, how) =>
    how.source === 'cancel' ? Promise.reject(new Error('disk full')) : learn(shop, order, attempt, said, how)
  await checkAttempts(workings)
  expect(lines.find(({ message }) => message.includes('Purveyor still checks it'))?.fields.err).toMatchObject(
    {
      message: 'disk full',
    },
  )
  workings.store.learn = learn
  await checkAfter(day)
  expect([closed, await facts()]).toEqual([['tr_1', 'tr_1'], [['open', 'expired', 'cancelled']]])
})
