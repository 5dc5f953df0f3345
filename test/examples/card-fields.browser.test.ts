import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isLong, sized } from '../long.ts'
import { visitor } from '../visitor.ts'
import {
  type CardDesk,
  cardDesk,
  faultsEverywhere,
  fillCard,
  numbers,
  pay,
  payButton,
  payWith,
} from './card-desk.ts'

/** A payment under way, and a customer in front of it. */
const opened = async (options = {}) => ({ desk: await cardDesk(options), ...(await visitor()) })

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const inChallenge = (page: Page, name: string) =>
  page.frameLocator('#challenge').getByRole('button', { name })
const toShop = (page: Page) => page.waitForURL('**/thanks')

/** Each journey ends like this: one charge at most, the right status, and a way to the shop. */
async function ends(desk: CardDesk, status: string, charges: number): Promise<void> {
  expect(await desk.status()).toBe(status)
  expect(desk.charges()).toBe(charges)
}

async function arrives(page: Page, desk: CardDesk, status: string, charges: number): Promise<void> {
  await toShop(page)
  await ends(desk, status, charges)
}

async function hasWayToShop(page: Page): Promise<void> {
  const ways = page.locator('a[href*="/thanks"], form[action$="/cancel"] button')
  expect(await ways.count()).toBeGreaterThan(0)
  expect(await ways.first().isVisible()).toBe(true)
}

test('a card without a challenge is paid, a double click charges once, and Back shows that it is paid', async () => {
  const { desk, page, messages } = await opened()
  await page.goto(desk.url)
  await fillCard(page, numbers.paid)
  await payButton(page).dblclick()
  await arrives(page, desk, 'paid', 1)
  await page.goBack()
  await heading(page, 'Your payment has been received')
  await page.reload()
  await heading(page, 'Your payment has been received')
  await hasWayToShop(page)
  await ends(desk, 'paid', 1)
  expect(messages.filter((message) => /Content Security Policy|integrity/.test(message))).toEqual([])
})

test('a card is refused: the address is kept, the card is not, and another card is paid', async () => {
  const { desk, page } = await opened()
  await page.goto(desk.url)
  await page.getByLabel('E-mail address').fill('noor@customer.example')
  await payWith(page, numbers.noMoney)
  await page.getByText('too little money').waitFor()
  await page.reload()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('noor@customer.example')
  await page.locator('.hosted[data-ready]').waitFor()
  expect(await page.frameLocator('.hosted iframe').locator('input').first().inputValue()).toBe('')
  await hasWayToShop(page)
  await ends(desk, 'pending', 0)
  await payWith(page, numbers.paid)
  await arrives(page, desk, 'paid', 1)
})

test('fields that are filled in wrong are said to be, in the frame, and nothing is sent', async () => {
  const { desk, page } = await opened({ language: 'nl' })
  await pay(page, desk.url, '4242 4242 4242 4241')
  await page.frameLocator('.hosted iframe').getByText('Kijk dit veld na.').waitFor()
  await ends(desk, 'pending', 0)
  await payWith(page, numbers.paid)
  await arrives(page, desk, 'paid', 1)
})

const challenges = [
  ['a redirect', numbers.challenge],
  ['a form that its page posts', numbers.challengeByPost],
] as const

// The short form confirms behind the one, and refuses behind the other.
test.each(challenges.slice(0, sized(1, 2)))(
  'a bank confirms and comes back with %s',
  async (_name, number) => {
    const { desk, page } = await opened()
    await pay(page, desk.url, number)
    await heading(page, 'Your bank')
    await ends(desk, 'pending', 0)
    await click(page, 'Confirm')
    await arrives(page, desk, 'paid', 1)
    await page.goto(desk.url)
    await heading(page, 'Your payment has been received')
  },
)

test.each(challenges.slice(sized(1, 0)))(
  'who refuses comes back with %s, reads why, and pays with another',
  async (_name, number) => {
    const { desk, page } = await opened()
    await pay(page, desk.url, number)
    await click(page, 'Refuse')
    await page.getByText('Your bank did not confirm the payment.').waitFor()
    await hasWayToShop(page)
    await ends(desk, 'pending', 0)
    await payWith(page, numbers.paid)
    await arrives(page, desk, 'paid', 1)
  },
)

test('a challenge in a frame is confirmed, or refused and left for another card', async () => {
  const { desk, page, messages } = await opened()
  await pay(page, desk.url, numbers.challengeInFrame)
  await inChallenge(page, 'Refuse').click()
  await page.getByText('Your bank did not confirm the payment.').waitFor()
  await payWith(page, numbers.challengeInFrame)
  await inChallenge(page, 'Confirm').waitFor()
  await page.reload()
  await hasWayToShop(page)
  await inChallenge(page, 'Confirm').click()
  await arrives(page, desk, 'paid', 1)
  expect(messages.filter((message) => message.includes('Content Security Policy'))).toEqual([])
})

test('a frame of the bank that is blocked can be opened by itself', async () => {
  const { desk, page } = await opened()
  await page.route(`${desk.acquirer.bankUrl}/**`, (route) =>
    route.request().frame().parentFrame() ? route.abort() : route.continue(),
  )
  await pay(page, desk.url, numbers.challengeInFrame)
  await page.getByRole('link', { name: "Open the bank's page by itself" }).click()
  await click(page, 'Confirm')
  await arrives(page, desk, 'paid', 1)
})

test('Back from the bank says what is open; another way is offered, and the first confirmation charges nothing more', async () => {
  const { desk, page, context } = await opened()
  await pay(page, desk.url, numbers.challenge)
  await heading(page, 'Your bank')
  const other = await context.newPage()
  await other.goto(desk.url)
  await heading(other, 'You have not finished at your bank')
  await hasWayToShop(other)
  await click(other, 'Choose another way to pay')
  await payWith(other, numbers.paid)
  await toShop(other)
  await click(page, 'Confirm')
  await page.getByText('Nothing is left to confirm.').waitFor()
  await page.getByRole('link', { name: 'Back' }).click()
  await arrives(page, desk, 'paid', 1)
})

test('who leaves for the shop at the bank cancels the payment, and no later confirmation charges', async () => {
  const { desk, page, context } = await opened()
  await pay(page, desk.url, numbers.challenge)
  await heading(page, 'Your bank')
  const other = await context.newPage()
  await other.goto(desk.url)
  await click(other, /^Cancel and return/)
  await arrives(other, desk, 'cancelled', 0)
  await click(page, 'Confirm')
  await page.getByText('Nothing is left to confirm.').waitFor()
  await ends(desk, 'cancelled', 0)
})

test('two tabs and another device on the same address pay once', async () => {
  const { desk, page, context } = await opened()
  const tab = await context.newPage()
  const { page: phone } = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true })
  for (const one of [page, tab, phone]) {
    await one.goto(desk.url)
    await fillCard(one, numbers.paid)
  }
  await Promise.all([page, tab, phone].map((one) => payButton(one).click()))
  await Promise.all([page, tab, phone].map(toShop))
  await ends(desk, 'paid', 1)
})

test('the answer is lost after the charge: nobody pays again, and the charge is found', async () => {
  const { desk, page } = await opened()
  await pay(page, desk.url, numbers.answerLost)
  await heading(page, 'We could not confirm your payment yet')
  expect(await page.locator('.hosted').count()).toBe(0)
  await hasWayToShop(page)
  await page.reload()
  await heading(page, 'We could not confirm your payment yet')
  await click(page, 'Look again')
  await heading(page, 'Your payment has been received')
  await ends(desk, 'paid', 1)
})

test('the acquirer is away when the bank sends the customer back: the page says not to pay again', async () => {
  const { desk, page } = await opened()
  await pay(page, desk.url, numbers.challenge)
  await heading(page, 'Your bank')
  desk.acquirer.intents.isAway = true
  await click(page, 'Confirm')
  await heading(page, 'We could not confirm your payment yet')
  await hasWayToShop(page)
  await click(page, 'Look again')
  await heading(page, 'We could not confirm your payment yet')
  desk.acquirer.intents.isAway = false
  await click(page, 'Look again')
  await heading(page, 'Your payment has been received')
  await ends(desk, 'paid', 1)
})

test('the session ends while the page is open: here, and at the acquirer', async () => {
  const { desk, page } = await opened()
  await page.goto(desk.url)
  await fillCard(page, numbers.paid)
  await desk.provider.payments.report({ orderId: desk.orderId }, { status: 'expired' })
  await payButton(page).click()
  await toShop(page)
  await page.goBack()
  await heading(page, 'This payment has expired')
  await hasWayToShop(page)
  await ends(desk, 'expired', 0)

  const theirs = await cardDesk()
  await page.goto(theirs.url)
  await fillCard(page, numbers.paid)
  const { intents } = theirs.acquirer
  intents.cancel('demo', intents.all[0]!.id, 'expired')
  await payButton(page).click()
  await arrives(page, theirs, 'expired', 0)
})

const missing: [string, string | RegExp | undefined][] = [
  ['our script is blocked', '**/assets/**'],
  ['the frame of the fields is blocked', /\/v1\/fields\?/],
  ["the acquirer's script is blocked", '**/v1/fields.js'],
  ['scripts are off', undefined],
]
test.each(missing.slice(0, sized(2, 4)))(
  'where %s, the page says what to do, charges nothing, and has a way back',
  async (_name, blocked) => {
    const desk = await cardDesk()
    const { page } = await visitor({ javaScriptEnabled: blocked !== undefined })
    if (blocked) await page.route(blocked, (route) => route.abort())
    await page.goto(desk.url)
    const hint = page.locator('.late')
    await expect.poll(() => hint.isVisible()).toBe(true)
    expect(await hint.textContent()).toContain('return to the shop')
    await payButton(page).click()
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
    await ends(desk, 'pending', 0)
    // By keyboard: while a frame fails, Chromium passes on no click.
    await page.getByRole('button', { name: /^Cancel and return/ }).press('Enter')
    await arrives(page, desk, 'cancelled', 0)
  },
)

test('with the keyboard alone a card is paid', async () => {
  const { desk, page } = await opened()
  await page.goto(desk.url)
  await page.locator('.hosted[data-ready]').waitFor()
  for (const text of ['noor@customer.example', '4242424242424242', '1231', '123']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
  await arrives(page, desk, 'paid', 1)
})

const languages = isLong ? ['en', 'nl', 'de', 'fr', 'es'] : ['de']
test.each(languages)('every state can be used by everyone, in light and dark: %s', async (language) => {
  const { desk, page, context } = await opened({ language })
  let looks = 0
  // In the short form the states are light and dark by turns.
  const look = async () => {
    const colours = isLong ? (['light', 'dark'] as const) : ([looks++ % 2 ? 'dark' : 'light'] as const)
    expect(await faultsEverywhere(page, colours)).toEqual([])
  }
  // By keyboard: after many sizes of one page, Chromium hands a click beside a frame to the frame.
  const send = () => payButton(page).press('Enter')
  await page.goto(desk.url)
  await page.locator('.hosted[data-ready]').waitFor()
  await look()
  await fillCard(page, numbers.noMoney)
  await send()
  await page.getByRole('alert').waitFor()
  await page.locator('.hosted[data-ready]').waitFor()
  await look()
  await fillCard(page, numbers.challengeInFrame)
  await send()
  await page.frameLocator('#challenge').locator('button').first().waitFor()
  await look()
  await inChallenge(page, 'Refuse').click()
  await page.locator('.hosted[data-ready]').waitFor()
  await look()
  await fillCard(page, numbers.challenge)
  await send()
  await heading(page, 'Your bank')
  const bank = page.url()
  await page.goto(desk.url)
  await look()
  desk.acquirer.intents.isAway = true
  const other = await context.newPage()
  await other.goto(bank)
  await click(other, 'Confirm')
  await other.locator('form[action$="/look"]').waitFor()
  await page.goto(desk.url)
  await look()
  desk.acquirer.intents.isAway = false
  await page.locator('form[action$="/look"] button').click()
  await page.locator('main a.button').waitFor()
  await look()
  await ends(desk, 'paid', 1)
})
