import type { ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faultsOf } from '../../chromium.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { visitor } from '../../visitor.ts'
import { page as answerPage, openPayment } from './provider.ts'

/** Keeps the browser on the page it is on. */
const stay = (res: ServerResponse) => res.writeHead(204).end()

const thankingShop = () => serveOrigin((_req, res) => answerPage(res, '<h1>Thank you</h1>'))

/** A shop whose way back goes over two further origins. */
async function hoppingShop(): Promise<string> {
  const last = await thankingShop()
  const middle = await serveOrigin((_req, res) => res.writeHead(302, { location: `${last}/thanks` }).end())
  return serveOrigin((_req, res) => res.writeHead(302, { location: `${middle}/on` }).end())
}

async function pay(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Code').fill('1234')
  await page.getByRole('button', { name: 'Pay' }).click()
}

test.each([true, false])(
  'with JavaScript: %s, a customer arrives in a shop two origins on',
  async (scripts) => {
    const redirectUrl = `${await hoppingShop()}/return?order=1001&a=b%20c`
    const { url, status } = await openPayment({ redirectUrl })
    const { page, messages } = await visitor({ javaScriptEnabled: scripts })
    await pay(page, url)
    await page.waitForURL('**/thanks')
    expect(await page.getByRole('heading').textContent()).toBe('Thank you')
    expect(await status()).toBe('paid')
    expect(messages.filter((message) => message.includes('Content Security Policy'))).toEqual([])
  },
)

test('where the browser does not go on by itself, a link leads to the shop', async () => {
  let times = 0
  const shop = await serveOrigin((_req, res) =>
    times++ === 0 ? stay(res) : answerPage(res, '<h1>Thank you</h1>'),
  )
  const { url } = await openPayment({ redirectUrl: `${shop}/return?a=b%20c&d=%C3%A9` })
  const { page } = await visitor()
  await pay(page, url)
  await page.getByRole('heading', { name: 'Your payment has been received' }).waitFor()
  await page.getByRole('link', { name: /^Back to / }).click()
  await page.waitForURL(`${shop}/return?a=b%20c&d=%C3%A9`)
})

test('with the keyboard alone a wrong code is put right and paid', async () => {
  const shop = await thankingShop()
  const { url } = await openPayment({ redirectUrl: `${shop}/return` })
  const { page } = await visitor()
  await page.goto(url)
  for (const code of ['9999', '1234']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    if (code === '9999') await page.getByRole('alert').waitFor()
  }
  await page.waitForURL(`${shop}/return`)
})

test('a form on another site cannot pay, and no site can frame the page', async () => {
  const { url, status } = await openPayment({})
  const form = `<form method="post" action="${url}"><input name="code" value="1234"><button>Win</button></form>`
  const attacker = await serveOrigin((_req, res) => answerPage(res, `${form}<iframe src="${url}"></iframe>`))
  const { page, messages } = await visitor()
  await page.goto(attacker)
  await expect.poll(() => messages.join()).toContain('frame-ancestors')
  const [answer] = await Promise.all([page.waitForResponse(url), page.getByText('Win').click()])
  expect(answer.status()).toBe(403)
  await page.getByRole('heading', { name: 'This form was not sent from this page' }).waitFor()
  expect(await status()).toBe('pending')
})

test('after the way back, the browser’s back button shows a payment that is done', async () => {
  const shop = await thankingShop()
  const { url, status } = await openPayment({ redirectUrl: `${shop}/return` })
  const { page } = await visitor()
  await page.goto(url)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.waitForURL(`${shop}/return`)
  await page.goBack()
  await page.getByRole('heading', { name: 'This payment was cancelled' }).waitFor()
  expect(await page.getByRole('link', { name: 'Back to' }).getAttribute('href')).toBe(`${shop}/return`)
  expect(await status()).toBe('cancelled')
})

test('every page can be used by everyone, on a phone too', async () => {
  const shop = await serveOrigin((_req, res) => stay(res))
  const { url, origin } = await openPayment({ redirectUrl: `${shop}/return`, language: 'de' })
  const { page } = await visitor()
  await page.goto(url)
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Code').fill('1')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('alert').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await pay(page, url)
  await page.getByRole('heading', { name: 'Ihre Zahlung ist eingegangen' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto(`${origin}/p/nothing`)
  expect(await faultsOf(page)).toEqual([])
})
