import { expect, test } from 'vitest'
import type { AnyPaymentAdapter } from '../../../src/any-adapter.ts'
import { html, type PaymentPage } from '../../../src/index.ts'
import { lookAgain } from '../../../src/payments/pages/leave-page.ts'
import { openState } from '../../../src/payments/pages/page-state.ts'
import { otherNode, pageWith } from '../../helpers/payment-page.ts'
import { minute, paid } from '../../helpers/provider.ts'

const second = 1_000
const wrong = html`<p role="alert">We do not know this voucher.</p><form method="post"></form>`
const step = html`<form method="post"><input name="bank"></form>`

/** A page whose forms come to nothing, and the number of those that its adapter saw. */
async function vouchers(
  answer: Awaited<ReturnType<NonNullable<PaymentPage['submit']>>> = { again: wrong },
  { mostForms, ...adapter }: Partial<AnyPaymentAdapter> & { mostForms?: number } = {},
) {
  let calls = 0
  const page = await pageWith(
    () => {
      calls++
      return answer
    },
    { ...adapter },
  )
  page.workings.payments.adapters[0]!.page!.mostForms = mostForms
  const refused: string[] = []
  page.world.observer = { ...page.world.observer, refused: (code) => void refused.push(code) }
  return { ...page, refused, calls: () => calls }
}

test('of a thousand forms at once, on three nodes, the adapter sees five, and the rest is refused', async () => {
  const page = await vouchers()
  const nodes = [page.workings, otherNode(page), otherNode(page)]
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 100 }, (_, form) => page.send(nodes[form % 3])))
  expect(page.calls()).toBe(5)
  expect(new Set(page.refused)).toEqual(new Set(['PAGE_FORMS_TOO_MANY']))
  expect([await page.shows(), await page.status(), await page.anomalies()]).toEqual(['form', 'pending', []])
})

test('the thirty-first form ends the attempt, with one anomaly, however long the pauses are waited for', async () => {
  const page = await vouchers()
  for (let form = 0; form < 60; form++) {
    if (form < 32) await page.move(5 * minute)
    await page.send(form % 2 === 0 ? page.workings : otherNode(page))
  }
  expect(page.calls()).toBe(30)
  expect([await page.status(), await page.anomalies()]).toEqual(['cancelled', ['too_many_forms']])
  expect(await page.shows()).toBe('status')
})

test('forms of several processes at the last one that may be: one is handled', async () => {
  const page = await vouchers({ again: wrong }, { mostForms: 3 })
  for (let form = 0; form < 2; form++) await page.send()
  await Promise.all(Array.from({ length: 20 }, () => page.send(otherNode(page))))
  expect(page.calls()).toBe(3)
  await Promise.all(Array.from({ length: 20 }, () => page.send(otherNode(page))))
  expect([page.calls(), await page.status(), await page.anomalies()]).toEqual([
    ...[3, 'cancelled'],
    ['too_many_forms'],
  ])
})

test('another attempt of the order begins anew, until the order has had twice as many', async () => {
  const page = await vouchers({ again: wrong }, { mostForms: 2 })
  const last = async () => (await page.stored()).attempts.at(-1)!
  for (const price_incl of [30, 31, 32]) {
    for (let form = 0; form < 3; form++) await page.send(page.workings, last())
    await page.start({ price_incl })
  }
  expect(page.calls()).toBe(4)
  expect(await page.anomalies()).toEqual(['too_many_forms', 'too_many_forms', 'too_many_forms'])
})

test.each([
  ['a step that goes on', { again: step, step: true }, 30],
  ['a step with an empty place for faults', { again: wrong, step: true }, 30],
  ['a form that marks no error', { again: step }, 5],
  ['a form with an error', { again: wrong, step: false }, 5],
  ['a sentence', { again: 'Unknown' }, 5],
  ['content without a form', { again: html`<p>Unknown</p>` }, 5],
])('%s pauses the page after so many', async (_what, answer, calls) => {
  const page = await vouchers(answer)
  for (let form = 0; form < 40; form++) await page.send()
  expect(page.calls()).toBe(calls)
})

test('a card that its bank refuses comes to nothing, as one that the service refuses', async () => {
  const page = await vouchers({ redirect: 'https://bank.example/1' }, { status: () => ({ status: 'open' }) })
  for (let form = 0; form < 40; form++) {
    await page.send()
    page.workings.payments.memory.asks.clear()
    await lookAgain(page.workings, await page.attempt())
  }
  expect(page.calls()).toBe(5)
})

test('once the pause is over the page takes a form, and a payment still counts', async () => {
  let answer: Awaited<ReturnType<NonNullable<PaymentPage['submit']>>> = { again: wrong }
  const page = await pageWith(() => answer)
  for (let form = 0; form < 6; form++) expect(await page.send()).toBe('page')
  await page.move(second)
  answer = paid
  expect([await page.send(), await page.status()]).toEqual(['done', 'paid'])
})

test('a service that does not cancel the attempt is asked to once in five minutes', async () => {
  let cancels = 0
  const cancel = () => {
    cancels++
    throw new Error('down')
  }
  const page = await vouchers({ again: wrong }, { mostForms: 1, cancel })
  for (let form = 0; form < 20; form++) await page.send()
  expect([page.calls(), cancels]).toEqual([1, 1])
  await page.move(5 * minute)
  for (let form = 0; form < 20; form++) await page.send()
  expect([page.calls(), cancels]).toEqual([1, 2])
})

test('`again` with more than a page can show leaves the outcome sure', async () => {
  const page = await vouchers({ again: html`<form>${'x'.repeat(70_000)}</form>` })
  expect([await page.send(), await page.shows(), (await page.state()).is]).toEqual(['page', 'form', 'open'])
  expect(openState(page.workings.contents, await page.attempt())).toMatchObject({
    count: { forms: 1, fruitless: 1 },
  })
})
