import { expect, test } from 'vitest'
import { paid, paymentsWith } from '../helpers/provider.ts'

test('what is new about a payment is logged once, with its source and both statuses', async () => {
  const { start, report, stored, lines } = paymentsWith({})
  await start()
  const learned = () => lines.filter(({ message }) => message === 'payment has a new fact')
  expect(learned()).toEqual([])
  await report({ ...paid, event: 'tr_1' })
  const { id } = (await stored()).attempts[0]!
  const about = { shop: 'default', order: '1001', attempt: id, source: 'report' }
  expect(learned()).toEqual([
    {
      level: 'info',
      message: 'payment has a new fact',
      fields: { ...about, fact: 'paid', from: 'pending', to: 'paid' },
    },
  ])
  await report({ ...paid, event: 'tr_1' })
  expect(learned()).toHaveLength(1)
  await report({ status: 'refunded', amount: '5.00', currency: 'eur', event: 're_1' })
  expect(learned().at(-1)!.fields).toEqual({ ...about, fact: 'refunded', from: 'paid', to: 'paid' })
})
