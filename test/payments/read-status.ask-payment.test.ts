import { expect, test } from 'vitest'
import { askPayment } from '../../src/payments/read-status.ts'
import { paymentsWith } from '../helpers/provider.ts'

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

test('a start without an answer is looked up at the service, and its payment is asked for', async () => {
  let ends = false
  const { workings, start, stored } = paymentsWith({
    start: () => Promise.reject(new Error('connection reset')),
    find: () => (ends ? { redirect: 'https://psp.example/1', reference: 'tr_1' } : undefined),
    status: () => ({ status: 'paid', amount: '29.34', currency: 'eur' }),
  })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  const ask = () => askPayment(workings, 'default', '1001')
  expect((await ask()).asked).toMatchObject([{ answer: 'it has no payment of this start', answered: false }])
  ends = true
  expect(await ask()).toMatchObject({ status: 'paid', asked: [{ answered: true }] })
  expect((await stored()).attempts[0]?.started?.reference).toBe('tr_1')
})

test('a start without an answer that nobody can look up says how it ended', async () => {
  const { workings, start, settle } = paymentsWith({ start: () => Promise.reject(new Error('words')) })
  await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  await settle()
  const { asked } = await askPayment(workings, 'default', '1001')
  expect(asked).toMatchObject([
    {
      answered: false,
      answer: expect.stringMatching(
        /^not asked: its start has no answer \(\S+ \S+: start failed: Error\), and no adapter .* has find\(\)$/,
      ),
    },
  ])
})
