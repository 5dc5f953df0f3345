import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startAcquirer } from '../../examples/payment-card-fields/acquirer/acquirer.ts'
import { cardFields } from '../../examples/payment-card-fields/card-fields.ts'
import { axeFaults, faultsOf } from '../chromium.ts'
import { checkout, payment } from '../http/messages.ts'
import { page as answerPage } from '../http/pages/provider.ts'
import { paymentUrl, statusOf } from '../http/post.ts'
import { listening } from '../listening.ts'
import { serveOrigin } from '../serve-origin.ts'

export const numbers = {
  paid: '4242 4242 4242 4242',
  noMoney: '4000 0000 0000 9995',
  challenge: '4000 0000 0000 3220',
  challengeByPost: '4000 0000 0000 3063',
  challengeInFrame: '4000 0027 6000 3184',
  answerLost: '4000 0000 0000 0119',
}

/** The example with its acquirer, its bank, a shop, and one payment under way. */
export async function cardDesk({ language = 'en' } = {}) {
  const acquirer = await startAcquirer()
  onTestFinished(() => acquirer.close())
  const shop = await serveOrigin((_req, res) => answerPage(res, '<h1>Shop</h1>'))
  const { provider, endpoint } = await listening({
    payments: {
      adapters: cardFields({ api: acquirer.url, bank: acquirer.bankUrl }),
      brand: { name: 'Card desk', accent: '#1d4ed8', radius: 10, support: 'help@desk.example' },
    },
  })
  const order = { ...payment({ method: 'card' }), redirect_url: `${shop}/thanks` }
  const url = await paymentUrl(endpoint, { ...order, shop: { ...checkout.shop, language } })
  return {
    ...{ acquirer, provider, shop, url },
    orderId: String(order.order.id),
    status: () => statusOf(endpoint, String(order.order.id)),
    charges: () => acquirer.intents.charges.length,
  }
}
export type CardDesk = Awaited<ReturnType<typeof cardDesk>>

/** Fills in the card, in the acquirer's frame. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.locator('.hosted[data-ready]').waitFor()
  const fields = page.frameLocator('.hosted iframe')
  const [first, second, third] = [0, 1, 2].map((at) => fields.locator('input').nth(at))
  await first!.fill(number)
  await second!.fill('12/31')
  await third!.fill('123')
}

export const payButton = (page: Page) => page.locator('main form:not([action]) button')

export async function payWith(page: Page, number: string): Promise<void> {
  await fillCard(page, number)
  await payButton(page).click()
}

export async function pay(page: Page, url: string, number: string): Promise<void> {
  await page.goto(url)
  await payWith(page, number)
}

/** What axe finds in the page and in its frames, in these colours, at 320 px; the long form looks at a desk too. */
export async function faultsEverywhere(page: Page, colours: readonly ('light' | 'dark')[]) {
  const faults: string[] = []
  for (const colorScheme of colours) {
    await page.emulateMedia({ colorScheme })
    faults.push(...(await faultsOf(page)).map((fault) => `${colorScheme}: ${fault}`))
    for (const frame of page.frames().slice(1)) {
      // The heading is that of the page around it.
      const inFrame = await axeFaults(frame, { rules: { 'page-has-heading-one': { enabled: false } } })
      faults.push(...inFrame.map((fault) => `${colorScheme}, frame: ${fault}`))
    }
  }
  return faults
}
