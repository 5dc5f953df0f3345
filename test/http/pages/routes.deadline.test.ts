import { expect, test } from 'vitest'
import { html, type PaymentPage } from '../../../src/index.ts'
import { keptLog, listening } from '../../listening.ts'
import { payment } from '../messages.ts'
import { paymentUrl } from '../post.ts'

const never = new Promise<never>(() => {})

async function openPage(page: Partial<PaymentPage>) {
  const { lines: log, logger } = keptLog('error')
  const { endpoint } = await listening({
    logger,
    payments: {
      adapters: {
        name: 'slow',
        methods: () => [{ id: 'slow', title: 'Slow' }],
        start: () => ({ page: true }),
        page: { render: () => html`<p>Pay</p>`, submit: () => ({ status: 'cancelled' }), ...page },
      },
      deadlines: { page: 1_000 },
    },
  })
  return { url: await paymentUrl(endpoint, payment({ method: 'slow' })), endpoint, log }
}

test.each<[string, PaymentPage['render']]>([
  ['never ends', () => never],
  ['waits for a part that never comes', () => html`<p>${never}</p>`],
])('a page whose render %s says to try again, and is logged', async (_name, render) => {
  const { url, endpoint, log } = await openPage({ render })
  const answer = await fetch(url)
  expect(answer.status).toBe(504)
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await answer.text()
  expect(text).toContain('This is taking longer than usual')
  expect(text).toContain('Open this page again in a moment')
  expect(log).toContainEqual(expect.objectContaining({ msg: 'payment page failed', adapter: 'slow' }))
  expect(JSON.stringify(log)).toContain('no answer within 1000 ms')
  // The payment is as it was.
  expect(await (await fetch(`${endpoint}/payment/1001`)).json()).toEqual({ status: 'pending' })
})

test('a page that is slow once is shown when it is opened again', async () => {
  let calls = 0
  const { url } = await openPage({ render: () => (++calls === 1 ? never : html`<p>Pay here</p>`) })
  expect((await fetch(url)).status).toBe(504)
  const again = await fetch(url)
  expect([again.status, (await again.text()).includes('Pay here')]).toEqual([200, true])
})
