import { expect, test } from 'vitest'
import type { PaymentReport } from '../../src/payments/ledger/report.ts'
import { readReturn } from '../../src/payments/pages/leave-page.ts'
import { askEvery } from '../../src/payments/payment-memory.ts'
import { askForPage } from '../../src/payments/read-status.ts'
import { StoreUnavailable } from '../../src/store.ts'
import { pageWith } from '../helpers/payment-page.ts'
import { minute, paymentsWith } from '../helpers/provider.ts'

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

test('a store that is away says nothing about the payment service: the page of a customer who returns stays as it is', async () => {
  const page = await pageWith(() => ({ redirect: 'https://bank.example/1' }), {
    status: () => ({ status: 'open' }),
  })
  await page.send()
  const { store } = page.workings
  const { learn } = store
  store.learn = () => Promise.reject(new StoreUnavailable('away'))
  const back = { method: 'GET', query: '', body: Buffer.alloc(0) } as const
  await expect(readReturn(page.workings, await page.attempt(), back)).rejects.toThrow('away')
  expect((await page.state()).is).toBe('onward')
  expect(page.lines.filter(({ level }) => level === 'warn')).toEqual([])
  store.learn = learn
  await page.move(2_000)
  await readReturn(page.workings, await page.attempt(), back)
  expect(await page.shows()).toBe('onward')
})

test.each([
  ['that the customer has not finished', [{ status: 'open' }, { status: 'named', event: 'INV-1' }], 'open'],
  ['names alone', [1, 2].map((one) => ({ status: 'named' as const, event: `INV-${one}` })), 'further'],
] as const)('a name beside the status changes nothing: %s', async (_what, said, expected) => {
  const page = await pageWith(() => ({ redirect: 'https://bank.example/1' }), { status: () => [...said] })
  const { standing } = await askForPage(page.workings, await page.attempt())
  expect(standing).toBe(expected)
})

test('customers who come too soon share the next question', async () => {
  let asked = 0
  const page = await pageWith(() => ({ redirect: 'https://bank.example/1' }), {
    status: () => {
      asked++
      return { status: 'open' }
    },
  })
  await page.send()
  const attempt = await page.attempt()
  await askForPage(page.workings, attempt)
  const waiting = Array.from({ length: 5 }, () => askForPage(page.workings, attempt))
  expect(asked).toBe(1)
  await page.move(2_000)
  expect((await Promise.all(waiting)).map(({ standing }) => standing)).toEqual(Array(5).fill('open'))
  expect(asked).toBe(2)
})
