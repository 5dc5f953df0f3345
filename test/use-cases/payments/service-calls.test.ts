import { expect, test } from 'vitest'
import { ServiceCalls, ServiceCallsFull } from '../../../src/use-cases/payments/service-calls.ts'
import { hour, minute, paid, paymentsWith } from '../provider.ts'

/** Calls that come back when the test says so, and how many were open at a time. */
function gate() {
  const waiting: (() => void)[] = []
  let most = 0
  let calls = 0
  return {
    async wait() {
      calls++
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        most = Math.max(most, waiting.length)
      })
    },
    open: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
    get seen() {
      return { most, calls }
    },
  }
}

test('an order with 60 live attempts is closed 8 at a time, and all of it is', async () => {
  const cancels = gate()
  let refuses = true
  const { start, stored, settle, workings } = paymentsWith({
    // Each start is another amount: an attempt of its own.
    start: ({ id }) => ({ redirect: 'https://psp.example/1', reference: id }),
    async cancel() {
      if (refuses) throw new Error('not now')
      await cancels.wait()
      return undefined
    },
  })
  for (let cents = 10; cents < 70; cents++) {
    await start({ price_incl: `20.${cents}` })
    await settle()
  }
  refuses = false
  await start({ price_incl: '99.00' })
  for (let turn = 0; turn < 30 && cancels.seen.calls < 60; turn++) {
    await settle()
    cancels.open()
  }
  cancels.open()
  await settle()
  expect(cancels.seen).toEqual({ most: 8, calls: 60 })
  const { attempts, status } = await stored()
  expect(attempts.filter(({ facts }) => facts.some(({ kind }) => kind === 'cancelled'))).toHaveLength(60)
  expect(status).toBe('pending')
  expect(workings.payments).toHaveLength(1)
})

test('attempts that are due together are asked for 8 at a time', async () => {
  const { checkAttempts } = await import('../../background.ts')
  const asked = gate()
  const { start, workings, move, settle, status } = paymentsWith({
    start: ({ id }) => ({ redirect: 'https://psp.example/1', reference: id }),
    async status() {
      await asked.wait()
      return paid
    },
  })
  for (let id = 1; id <= 40; id++) await start({ id })
  await move(2 * minute)
  const checking = checkAttempts(workings)
  let over = false
  void checking.then(() => (over = true))
  for (let turn = 0; turn < 60 && !over; turn++) {
    await settle()
    asked.open()
  }
  await checking
  expect(asked.seen).toEqual({ most: 8, calls: 40 })
  expect(await status('40')).toBe('paid')
  await move(hour)
})

test('what waits is bounded too, and one adapter never waits for another', async () => {
  const calls = new ServiceCalls()
  const slow = gate()
  const all = Array.from({ length: 508 }, () => calls.run('cancel', 'slow', () => slow.wait()))
  await expect(calls.run('cancel', 'slow', () => slow.wait())).rejects.toBeInstanceOf(ServiceCallsFull)
  await expect(calls.run('cancel', 'other', async () => 'at once')).resolves.toBe('at once')
  await expect(calls.run('check', 'slow', async () => 'at once')).resolves.toBe('at once')
  calls.end()
  slow.open()
  const ended = await Promise.allSettled(all)
  // Running calls are finished, waiting ones never begin.
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  expect(slow.seen).toEqual({ most: 8, calls: 8 })
})
