import { Agent, request } from 'node:http'
import { expect, test } from 'vitest'
import { html, type PaymentAdapter } from '../../../src/index.ts'
import { listening } from '../../listening.ts'
import { payment } from '../messages.ts'
import { paymentUrl, postForm } from '../post.ts'

const empty = { button: 'Pay', parts: [] }

/** A page that takes vouchers, and the calls that it causes. */
async function openVouchers(more: Partial<PaymentAdapter> = {}) {
  const calls = { submit: 0, status: 0 }
  const { endpoint } = await listening({
    http: { limits: { perSecond: 1e6, burst: 1e6, concurrent: 1e6 } },
    payments: {
      name: 'voucher',
      methods: () => [{ id: 'voucher', title: 'Voucher' }],
      start: () => ({ page: true, reference: 'v_1' }),
      status: () => {
        calls.status++
        return { status: 'open' }
      },
      page: {
        render: (view) => view.form().whole(empty),
        submit(form, view) {
          calls.submit++
          return { again: view.form({ values: form, errors: { code: 'Unknown' } }).whole(empty) }
        },
      },
      ...more,
    },
  })
  return { calls, url: await paymentUrl(endpoint, payment({ method: 'voucher' })), endpoint }
}

const textOf = async (url: string) => (await fetch(url)).text()

test('a thousand forms, over eight connections that send on, reach the adapter thirty times at most, and the page says how long it pauses', async () => {
  const { calls, url } = await openVouchers()
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const send = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      sent.on('error', reject).end('code=1234')
    })
  const answers = await Promise.all(Array.from({ length: 1_000 }, send))
  agent.destroy()
  // A machine that sends them faster than a page may be visited gets 429 for the rest.
  expect(answers.filter((status) => status !== 303 && status !== 429)).toEqual([])
  expect(calls.submit).toBeGreaterThanOrEqual(5)
  expect(calls.submit).toBeLessThanOrEqual(30)
  for (;;) {
    await postForm(url, { code: '1' })
    const text = await textOf(url)
    // Between two pauses on a slow machine there is a form without one.
    if (/Please wait <bdi>\d+ (seconds?|minutes?)<\/bdi> before you send this form again/.test(text)) break
  }
  expect(calls.submit).toBeLessThanOrEqual(30)
})

test('sixty thousand characters in a field reach no adapter, and the page says that nothing was sent on', async () => {
  const { calls, url } = await openVouchers()
  for (const fields of [{ code: 'x'.repeat(60_000) }, { ['x'.repeat(60_000)]: '1' }]) {
    const answer = await postForm(url, fields)
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain('Nothing was sent on. Open the page again and shorten what')
  }
  expect(calls.submit).toBe(0)
  expect(await textOf(url)).toContain('<form method="post" novalidate>')
})

test('several long fields that the form shows again leave the outcome sure as well', async () => {
  const { calls, url } = await openVouchers({
    page: {
      render: () => html`<form method="post"></form>`,
      submit: ({ a, b, c }) => ({ again: html`<form method="post">${a}${b}${c}${a}${b}${c}</form>` }),
    },
  })
  const long = '<'.repeat(3_000)
  const { headers } = await postForm(url, { a: long, b: long, c: long })
  expect(headers.get('location')).toBe(url)
  const number = '<input type="hidden" name="purveyor-form" value="1">'
  expect(await textOf(url)).toContain(`<form method="post">${number}`)
  expect(calls.status).toBe(0)
})

test('after too many forms the page of an attempt that its service does not end takes none, and says so', async () => {
  const { url } = await openVouchers({
    cancel: () => Promise.reject(new Error('down')),
    page: {
      mostForms: 1,
      render: () => html`<form method="post"></form>`,
      submit: () => ({ again: 'Unknown' }),
    },
  })
  for (let form = 0; form < 2; form++) await postForm(url, {})
  const text = await textOf(url)
  expect(text).toContain('<strong>This page takes no more forms.</strong><div>Return to <bdi>')
  expect(text).not.toContain('Please wait')
  expect(text).not.toContain('purveyor-form')
  expect(text).toContain(`<form method="post" action="${url}/cancel"`)
})

test('reloads of a page, the way back and the reads of the platform ask the service once in two seconds', async () => {
  const { calls, url, endpoint } = await openVouchers({
    page: { render: () => '', submit: () => ({ redirect: 'https://bank.example/1' }) },
  })
  await postForm(url, {})
  const began = Date.now()
  const ways = [url, `${url}/return`, `${endpoint}/payment/1001`]
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 30 }, (_, at) => fetch(ways[at % 3]!, { redirect: 'manual' })))
  expect(calls.status).toBeGreaterThan(0)
  expect(calls.status).toBeLessThanOrEqual(1 + (Date.now() - began) / 2_000)
})

test('text of others stands isolated on a page', async () => {
  const turned = 'Bad\u202E shop'
  const { url } = await openVouchers({
    page: {
      lines: () => [{ title: turned, amount: turned }],
      render: (view) =>
        view.form({ errors: { code: turned, other: turned } }).whole({
          button: turned,
          parts: [
            view.form({ errors: { code: turned } }).field({ name: 'code', label: turned, hint: turned }),
            view.form().radios({ name: 'bank', label: turned, choices: [{ value: '1', label: turned }] }),
          ],
        }),
      submit: () => ({ again: '' }),
    },
  })
  for (const path of ['', '/done']) {
    const [title, body] = (await textOf(`${url}${path}`)).split('</title>')
    for (const part of title!.split('Bad').slice(1)) expect(part).toMatch(/^\u202E shop\u2069/)
    const left = body!.replaceAll(/<bdi>[^<]*<\/bdi>/g, '')
    expect(body).toContain('<bdi>')
    expect(left).not.toContain('\u202E')
  }
})
