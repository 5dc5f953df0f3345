import { html, paymentAdapter } from 'purveyor'
import { expect, test } from 'vitest'
import type { AttemptContext, PaymentAdapter, PaymentAttempt } from '../../src/index.ts'
import { pressOnPage } from '../../src/sandbox/index.ts'
import { shopPaying } from '../helpers/sandbox.ts'

interface Held {
  attempt: PaymentAttempt
  report: AttemptContext['report']
  signal: AbortSignal
}

/** A provider whose payment adapter keeps what it is handed, and a shop that pays there. */
async function paying(adapter: Partial<PaymentAdapter> = {}, deadlines: { start?: number } = {}) {
  const held: Held[] = []
  const psp = paymentAdapter({
    name: 'psp',
    methods: () => [{ id: 'card', title: 'Card' }],
    start(attempt, { report, signal }) {
      held.push({ attempt, report, signal })
      return { page: true }
    },
    page: {
      render: () => html`<form method="post"><button name="pay" value="yes">Pay</button></form>`,
      submit(_form, { attempt }, { report, signal }) {
        held.push({ attempt, report, signal })
        return { status: 'pending' }
      },
    },
    ...adapter,
  })
  return { held, ...(await shopPaying({ adapters: psp, deadlines })) }
}

const paid = ({ amount, currency }: PaymentAttempt) => ({ status: 'paid', amount, currency }) as const

test('start reports later, after its call has returned, and the shop hears of it', async () => {
  const { held, shop } = await paying()
  const order = await shop.checkout().placeOrder()
  expect((await shop.returnToShop(order.id)).status).toBe('pending')
  const [{ attempt, report }] = held as [Held]
  expect(await report(paid(attempt))).toBe('paid')
  expect(await report(paid(attempt))).toBe('paid')
  await shop.waitForStatus(order.id, 'paid')
})

test("a page's submit reports later", async () => {
  const { held, shop } = await paying()
  const order = await shop.checkout().placeOrder()
  await pressOnPage(order.paymentUrl!, 'yes')
  expect((await shop.returnToShop(order.id)).status).toBe('pending')
  const { attempt, report } = held.at(-1)!
  expect(await report(paid(attempt))).toBe('paid')
  await shop.waitForStatus(order.id, 'paid')
})

test('a start that was given up at its deadline still reports', async () => {
  const held: Held[] = []
  const hangs: PaymentAdapter['start'] = (attempt, { report, signal }) => {
    held.push({ attempt, report, signal })
    return new Promise(() => {})
  }
  const { shop, store } = await paying({ start: hangs }, { start: 150 })
  expect((await shop.checkout().placeOrder()).paymentUrl).toBeUndefined()
  const { attempt, report, signal } = held[0]!
  expect(signal.aborted).toBe(true)
  expect(await report(paid(attempt))).toBe('paid')
  expect((await store.attempt('default', attempt.id))?.facts.map(({ kind }) => kind)).toEqual(['paid'])
})

test('a report is of its own attempt, also once another one has taken its place', async () => {
  const { held, shop, store } = await paying()
  const order = await shop.checkout().placeOrder()
  const first = held[0]!
  await first.report({ status: 'cancelled' })
  await shop.payAgain(order.id)
  const second = held.at(-1)!
  expect(second.attempt.id).not.toBe(first.attempt.id)
  expect(await first.report({ status: 'expired' })).toBe('pending')
  const factsOf = async ({ attempt }: Held) =>
    (await store.attempt('default', attempt.id))?.facts.map(({ kind }) => kind)
  expect(await factsOf(first)).toEqual(['cancelled', 'expired'])
  expect(await factsOf(second)).toEqual([])
})

test('it rejects as provider.payments.report does', async () => {
  const { held, provider, shop } = await paying()
  await shop.checkout().placeOrder()
  const { attempt, report } = held[0]!
  const { id: attemptId } = attempt
  const unnamed = { status: 'paid' } as never
  const reasonOf = (said: Promise<unknown>) => said.then(() => undefined, String)
  expect(await reasonOf(report(unnamed))).toMatch(/amount of "paid"/)
  expect(await reasonOf(report(unnamed))).toBe(
    await reasonOf(provider.payments.report({ attemptId }, unnamed)),
  )
  await provider.shops.erase('default', attempt.orderId, { force: true })
  await expect(report(paid(attempt))).rejects.toMatchObject({ code: 'UNKNOWN_PAYMENT' })
})
