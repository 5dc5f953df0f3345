import { html, type PaymentAttempt, type PaymentReports, paymentAdapter } from 'purveyor'
import { expect, test } from 'vitest'
import { failuresOf } from '../../src/sandbox/calls/call-log.ts'
import { pressOnPage } from '../../src/sandbox/index.ts'
import { shopPaying } from '../helpers/sandbox.ts'

/**
 * An order whose payment adapter reports this, by its page or when it is asked, and to which the customer returns. Resolves with the lines of
 * the log about reports, and with the faults in the shop's rows about the order.
 */
async function reported(by: 'page' | 'status', said: (attempt: PaymentAttempt) => unknown) {
  const psp = paymentAdapter({
    name: 'psp',
    methods: () => [{ id: 'card', title: 'Card' }],
    start: () => ({ page: true }),
    page: {
      render: () => html`<form method="post"><button name="pay" value="yes">Pay</button></form>`,
      submit: (_form, { attempt }) =>
        by === 'page' ? (said(attempt) as { status: 'pending' }) : { status: 'pending' },
    },
    ...(by === 'status' && { status: (attempt: PaymentAttempt) => said(attempt) as PaymentReports }),
  })
  const { shop, lines } = await shopPaying(psp)
  const order = await shop.checkout().placeOrder()
  await pressOnPage(order.paymentUrl!, 'yes')
  await shop.returnToShop(order.id)
  await shop.returnToShop(order.id)
  const odd = lines.filter(({ msg }) => msg === 'a report looks wrong')
  const rows = shop.calls.filter(({ path }) => path === `payment/${order.id}`)
  return { odd, order, rows: rows.map(failuresOf) }
}

test.each(['page', 'status'] as const)(
  'a status that is not known is one line, and a red row of the order, by %s',
  async (by) => {
    const { odd, order, rows } = await reported(by, () => ({ status: 'payed' }))
    const fault = 'its status "payed" is unknown and changes nothing: did you mean paid?'
    expect(odd).toMatchObject([{ fault, order: String(order.id) }])
    expect(rows[0]).toMatchObject([{ at: 'psp', message: `a report looks wrong: ${fault}` }])
    expect(rows.slice(1).flat()).toEqual([])
  },
)

test('a status that resembles none is shown with those that there are', async () => {
  const { odd } = await reported('status', () => ({ status: 'succeeded', detail: 'by the service' }))
  expect(odd[0]!.fault).toMatch(
    /^its status "succeeded" is unknown .*: known are authorised, paid, .*, unknown$/,
  )
})

test('an amount in cents is one line with the amount that was meant', async () => {
  const inCents = ({ amount, currency }: PaymentAttempt) => {
    return { status: 'paid', amount: Number(amount) * 100, currency }
  }
  const { odd, rows } = await reported('page', inCents)
  const words = /^its amount of (\d+)(\d\d) is 100 times that of the order: did you mean \1\.\2\?$/
  expect(odd).toMatchObject([{ fault: expect.stringMatching(words) }])
  expect(rows.flat()).toHaveLength(1)
})

test.each<[string, (attempt: PaymentAttempt) => unknown]>([
  ['the amount of the order', ({ amount, currency }) => ({ status: 'paid', amount, currency })],
  ['less than the order', ({ currency }) => ({ status: 'paid', amount: '1.00', currency })],
  ['a service that says it is unknown', () => ({ status: 'unknown', detail: 'settling' })],
])('%s is no line', async (_what, said) => {
  const { odd, rows } = await reported('status', said)
  expect([odd, rows.flat()]).toEqual([[], []])
})
