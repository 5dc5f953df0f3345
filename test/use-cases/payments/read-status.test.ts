import { expect, test } from 'vitest'
import { askEvery } from '../../../src/payments/ask-pace.ts'
import type { PaymentReport } from '../../../src/payments/report.ts'
import { minute, paymentsWith } from '../provider.ts'

test('a service that does not answer is logged with its adapter, the shop, the order and the reason', async () => {
  const { start, status, lines } = paymentsWith({ status: () => Promise.reject(new Error('down')) })
  await start()
  expect(await status()).toBe('pending')
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      fields: {
        ...{ adapter: 'psp', shop: 'default', order: '1001' },
        err: expect.objectContaining({ message: 'down' }),
      },
      message: 'the payment service did not answer with a status',
    },
  ])
})

test('the last answer of a service is kept: the same one once a minute, and another one at once', async () => {
  let answer: PaymentReport = { status: 'pending' }
  const { workings, start, status, stored, world, move } = paymentsWith({ status: () => answer })
  const { noteAsked } = workings.store
  let writes = 0
  workings.store.noteAsked = (...args) => {
    writes++
    return noteAsked(...args)
  }
  const read = async () => {
    await status()
    await move(0)
    return (await stored()).attempts[0]?.asked
  }
  await start()
  const from = world.now()
  expect(await read()).toEqual({ at: from, answer: 'pending' })
  await move(minute - askEvery)
  expect(await read()).toEqual({ at: from, answer: 'pending' })
  expect(writes).toBe(1)
  await move(askEvery)
  expect(await read()).toEqual({ at: from + minute, answer: 'pending' })
  answer = { status: 'authorised', amount: '29.34', currency: 'eur' }
  await move(askEvery)
  expect(await read()).toEqual({ at: from + minute + askEvery, answer: 'authorised 29.34 eur' })
  expect(writes).toBe(3)
})
