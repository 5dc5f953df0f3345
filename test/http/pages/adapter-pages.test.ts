import { expect, test } from 'vitest'
import type { PaymentAdapter } from '../../../src/index.ts'
import { keptLog, listening } from '../../listening.ts'
import { payment } from '../messages.ts'
import { paymentUrl } from '../post.ts'
import { codePayments } from './provider.ts'

async function pageWith(lines: unknown, render = codePayments.page!.render) {
  const { lines: warnings, logger } = keptLog()
  const { endpoint } = await listening({
    logger,
    payments: { ...codePayments, page: { ...codePayments.page!, lines, render } } as PaymentAdapter,
  })
  const answer = await fetch(await paymentUrl(endpoint, payment({ method: 'code' })))
  const text = await answer.text()
  return { status: answer.status, text, warnings: warnings.map((line) => JSON.stringify(line)) }
}
const leftOut = 'the lines of a payment page are left out'

test('an amount of a line is formatted as that of the order', async () => {
  const { text } = await pageWith((({ money }) => [
    { title: 'a', amount: money('12.5') },
    { title: 'b', amount: money(4.95) },
  ]) as NonNullable<PaymentAdapter['page']>['lines'])
  for (const amount of ['€12.50', '€4.95', '€29.34']) expect(text).toContain(amount)
})

test('a page shows the lines of the order', async () => {
  const { text, warnings } = await pageWith(() => [{ title: '2 <b>pens', amount: '€ 3,00' }])
  expect(text).toContain('2 &lt;b&gt;pens')
  expect(warnings.filter((one) => one.includes(leftOut))).toEqual([])
})

test.each<[string, () => unknown]>([
  ['that throw', () => JSON.parse('no lines')],
  ['that come late', async () => [{ title: 'a', amount: 'b' }]],
  ['that fail late', () => Promise.reject(new Error('no lines'))],
  ['that are no list', () => ({ title: 'a' })],
  ['without one', () => [null]],
  ['without an amount', () => [{ title: 'a' }]],
])('lines %s are left out, and the form is shown', async (_name, lines) => {
  const { status, text, warnings } = await pageWith(lines)
  expect([status, text.includes('name="code"')]).toEqual([200, true])
  expect(warnings.filter((one) => one.includes(leftOut))).toHaveLength(1)
})

const contents = [undefined, null, {}, 7]
test.each(contents)('a page whose render() returns %s is a fault of its adapter', async (content) => {
  const render = () => content as never
  const { status, text, warnings } = await pageWith(() => [], render)
  expect(status).toBe(500)
  expect(text).not.toContain('[object')
  expect(warnings.join()).toContain('render() of payment adapter')
})
