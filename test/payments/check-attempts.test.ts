import { expect, test, vi } from 'vitest'
import { attemptChecks } from '../../src/payments/check-attempts.ts'
import type { PaymentReport } from '../../src/payments/ledger/report.ts'
import { nextCheck } from '../../src/queue/schedule.ts'
import { pageWith } from '../helpers/payment-page.ts'
import { day, hour, minute, paid, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'

test('an open attempt is asked for after 1, 5 and 15 min, hourly to its expiry, and daily for 30 days after', () => {
  const attempt = { openedAt: 0, expiresAt: 2.5 * hour }
  const checks: number[] = []
  for (let at: number | undefined = 0; at !== undefined; at = nextCheck(attempt, at)) checks.push(at)
  const minutes = [0, 1, 5, 15, 60, 120, 150]
  const after = [2.5 * hour + day, 2.5 * hour + 2 * day]
  expect(checks.slice(0, 9)).toEqual([...minutes.map((at) => at * minute), ...after])
  expect(checks.at(-1)).toBe(2.5 * hour + 30 * day)
})

/** Asked in the background only; the clock of the test moves on. */
async function watched(status: () => PaymentReport | Promise<PaymentReport>) {
  const asked: number[] = []
  const setup = paymentsWith({
    status: () => {
      asked.push(setup.world.now())
      return status()
    },
  })
  runBackground(setup.workings)
  const from = setup.world.now()
  await setup.start()
  return { ...setup, minutes: () => asked.map((at) => Math.round((at - from) / minute)) }
}

test('a payment whose push never came heals itself', async () => {
  let said: PaymentReport = { status: 'open' }
  const { move, stored, minutes, calls } = await watched(() => said)
  await move(2 * minute)
  expect((await stored()).status).toBe('pending')
  said = paid
  await move(4 * minute)
  expect((await stored()).status).toBe('paid')
  expect(calls).toHaveLength(1)
  await move(2 * day, minute)
  expect(minutes()).toEqual([1, 5])
})

test('what the payment service answered last is kept, by background checks and by reads of the platform', async () => {
  let said: () => PaymentReport = () => {
    throw new Error('psp answered 401')
  }
  const { move, stored, status, world } = await watched(() => said())
  const asked = async () => (await stored()).attempts[0]?.asked
  expect(await asked()).toBeUndefined()
  await move(minute)
  expect(await asked()).toEqual({ at: world.now(), answer: 'failed: psp answered 401' })
  said = () => ({ status: 'pending' })
  await status()
  await expect.poll(asked).toMatchObject({ answer: 'pending' })
  said = () => paid
  await move(5 * minute)
  expect(await asked()).toMatchObject({ answer: `paid ${paid.amount} ${paid.currency}` })
})

test('money that comes after the expiry is found, delivered and shown to a person', async () => {
  let said: PaymentReport = { status: 'open' }
  const { move, stored, status, receiver, anomalies, calls } = await watched(() => said)
  receiver.answer = async () => {
    await status()
    return { status: 200 }
  }
  await move(hour + minute)
  expect((await stored()).status).toBe('expired')
  said = paid
  await move(day, minute)
  expect((await stored()).status).toBe('paid')
  expect(await anomalies()).toEqual(['late_paid'])
  expect(calls).toHaveLength(2)
})

test('where nobody can be asked the payment stays pending, and after a day an anomaly opens', async () => {
  let down = true
  const { move, stored, anomalies } = await watched(() =>
    down ? Promise.reject(new Error('down')) : { status: 'open' },
  )
  await move(23 * hour, minute)
  expect([(await stored()).status, await anomalies()]).toEqual(['pending', []])
  await move(3 * hour, minute)
  expect([(await stored()).status, await anomalies()]).toEqual(['pending', ['expiry_unconfirmed']])
  down = false
  await move(6 * minute)
  expect((await stored()).status).toBe('expired')
})

test('a start that nobody repeats is looked up, and one that cannot be ends as unknown', async () => {
  for (const find of [undefined, vi.fn(() => ({ redirect: 'https://psp.example/1' }))]) {
    const { workings, start, move, stored, anomalies } = paymentsWith({
      start: () => Promise.reject(new Error('reset')),
      ...(find && { find }),
    })
    runBackground(workings)
    await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
    await move(find ? 30 * minute : 61 * minute)
    const { status, attempts } = await stored()
    if (find)
      expect([status, attempts[0]?.started?.how, await anomalies()]).toEqual(['pending', 'redirect', []])
    else expect([status, await anomalies()]).toEqual(['expired', ['start_unknown']])
  }
})

test('a read that could not ask answers what was learned while it waited', async () => {
  let fail = (_: Error) => {}
  const asked = new Promise<never>((_, reject) => (fail = reject))
  const { start, status, report } = paymentsWith({ status: () => asked })
  await start()
  const first = status()
  await vi.waitFor(async () => expect(await report(paid)).toBe('paid'))
  fail(new Error('connection reset'))
  expect(await first).toBe('paid')
})

test('a payment service that answers 429 is left alone for as long as it says, by the background and by reads', async () => {
  let asked = 0
  const { start, move, status, workings, world } = paymentsWith({
    async status(_attempt, { fetch }) {
      asked++
      await fetch('https://psp.example/status')
      return { status: 'open' }
    },
  })
  world.outgoing.fetch = async () => new Response('', { status: 429, headers: { 'retry-after': '1200' } })
  runBackground(workings)
  await start()
  await move(2 * minute)
  expect(asked).toBe(1)
  expect(await status()).toBe('pending')
  await move(18 * minute)
  expect(asked).toBe(1)
  world.outgoing.fetch = async () => new Response('')
  await move(10 * minute)
  expect(asked).toBeGreaterThan(1)
})

test('an adapter with a limit is asked so often a day over all shops, and what waits stays pending', async () => {
  const asked: number[] = []
  const { start, move, stored, workings, world } = paymentsWith({
    asksPerDay: 24,
    status: () => {
      asked.push(world.now())
      return { status: 'pending' }
    },
  })
  runBackground(workings)
  for (let order = 1; order <= 20; order++) await start({ id: order })
  await move(day, minute)
  const byHour = Object.values(Object.groupBy(asked, (at) => Math.floor(at / hour)))
  expect(Math.max(...byHour.map((calls) => calls!.length))).toBe(1)
  expect(asked.length).toBeGreaterThan(12)
  expect((await stored('20')).status).toBe('pending')
})

test('what a page of our own calls pending never expires, and after 30 days a person looks at it', async () => {
  const { send, status, anomalies, checkAfter } = await pageWith(() => ({ status: 'pending' }))
  await send()
  for (let days = 0; days < 29; days++) await checkAfter(day)
  expect([await status(), await anomalies()]).toEqual(['pending', []])
  await checkAfter(2 * day)
  expect([await status(), await anomalies()]).toEqual(['pending', ['pending_too_long']])
})

test('of a payment service that hangs 50 checks wait at most, and half of them that end make room for one claim', async () => {
  const answers: (() => void)[] = []
  const { workings, start, move, settle } = paymentsWith({
    status: () => new Promise<PaymentReport>((resolve) => answers.push(() => resolve({ status: 'pending' }))),
  })
  for (let id = 1; id <= 120; id++) await start({ id })
  await move(2 * minute)
  const claims = vi.spyOn(workings.store, 'claimChecks')
  const claimed = async () => (await Promise.all(claims.mock.results.map(({ value }) => value))).flat().length
  const checks = attemptChecks(workings)
  await checks.wake()
  expect(await claimed()).toBe(50)
  await settle()
  const answer = async (count: number) => {
    for (let left = count; left > 0; left--) {
      answers.shift()!()
      await settle()
    }
  }
  await answer(24)
  expect(await claimed()).toBe(50)
  await answer(1)
  expect(await claimed()).toBe(75)
  const stopped = checks.stop()
  while (answers.length > 0) {
    for (const answer of answers.splice(0)) answer()
    await settle()
  }
  await stopped
})
