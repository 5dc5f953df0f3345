import { expect, test } from 'vitest'
import { askPayment } from '../../../src/use-cases/payments/ask-payment.ts'
import { paymentsWith } from '../provider.ts'

test('what a payment service answers is stored before the caller hears of it', async () => {
  const { workings, start, stored } = paymentsWith({ status: () => ({ status: 'pending' }) })
  await start()
  const { noteAsked } = workings.store
  workings.store.noteAsked = async (...args) => {
    await new Promise((resolve) => setImmediate(resolve))
    return noteAsked(...args)
  }
  const { asked } = await askPayment(workings, 'default', '1001')
  expect(asked).toMatchObject([{ adapter: 'psp', answer: 'pending', answered: true }])
  expect((await stored()).attempts[0]?.asked?.answer).toBe('pending')
})

test('an answer that cannot be stored fails the call', async () => {
  const { workings, start } = paymentsWith({ status: () => ({ status: 'pending' }) })
  await start()
  workings.store.noteAsked = () => Promise.reject(new Error('disk full'))
  await expect(askPayment(workings, 'default', '1001')).rejects.toThrow('disk full')
})
