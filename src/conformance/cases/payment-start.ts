import { isLoopbackHost } from '../../network/private-network.ts'
import { addressOf, faults, isAddress, isWord, noAnswerTo } from '../answers.ts'
import { casesOf, set } from '../case.ts'
import { call, type Exchange, Skip, shown } from '../exchange.ts'
import type { Target } from '../target.ts'

const shared = { topic: 'payment start', about: 'payments', section: 'spec 4.3', writes: true } as const

const choiceInMethod = 'a choice that payment_method.method alone names'

const namesService = set({ id: 'external-service-7' }, 'payment_method')

async function withPage(target: Target) {
  const started = await target.started()
  return { ...started, paymentUrl: addressOf(started) }
}

const pageOf = async (target: Target): Promise<Exchange> =>
  call((await withPage(target)).paymentUrl, { headers: { accept: 'text/html' } })

async function directPageOf(target: Target): Promise<Exchange> {
  const page = await pageOf(target)
  if (page.status !== 200) throw new Skip('payment_url redirects to another address')
  return page
}

const table = `
payment-start-status | must | The start of a payment is answered with 201
  | The order stays unpaid, and the customer is asked to try again. | Answer with status 201.
payment-start-content-type | must | Its answer is labelled as JSON
  | Some platforms read it anyway, others do not send the customer to pay. | Send Content-Type: application/json.
payment-start-url | must | payment_url is an absolute address, or is left out
  | The customer goes to the thank-you page without having paid. | Send the whole address, with https:// in front.
payment-start-url-https | must | Customers pay at an https address
  | Browsers warn the customer. | Serve the payment page over https.
payment-start-each-method | must | Every offered method can be used to pay
  | The customer chooses a method, and the order cannot be paid. | Accept every id that payment_methods has answered.
payment-start-method-by-name | should, spec 2.4 | The method is found by payment_method.method too
  | If the two differ, the order cannot be paid. | Look for the chosen method in payment_method.id and in payment_method.method.
payment-start-addresses-differ | must | Two orders have two payment addresses
  | One customer pays for the order of another. | Create a separate payment_url for each order.
payment-start-choice-changed | should, spec 2.4 | Another method of the same service is another payment
  | The customer chooses another method, and gets the page of the first one.
  | Read the choice from payment_method.method if payment_method.id names the service.
payment-start-of-nothing | should, spec 3.1 | An order of 0.00 is paid at once
  | An order that a voucher covers waits for a payment of 0.00, and is not sent.
  | Answer paid for an order of 0.00 once it is started, without a call to the payment service.
payment-start-not-guessable | should | The address of a payment cannot be guessed from its order number
  | Anyone can open the payments of other customers by counting. | Put a random token of 128 bits or more into payment_url.
payment-start-page-opens | must | The address opens a page
  | The customer sees an error instead of a way to pay. | Answer a GET of payment_url with a page of status 200, or redirect to one.
payment-start-page-not-kept | should | No cache stores the payment page
  | Going back in the browser shows a payment that is over. | Send Cache-Control: no-store with payment pages.
payment-start-page-not-framed | should | No other site can put the payment page into a frame
  | Another site can make customers click buttons that they do not see.
  | Send Content-Security-Policy: frame-ancestors 'none', or X-Frame-Options: DENY.
payment-start-no-customer-data-in-address | must | The address contains no customer data
  | Names and e-mail addresses end up in logs and histories. | Keep customer data on your side, under a token.
`

export const paymentStartCases = casesOf(shared, table, {
  'payment-start-status': async (target) =>
    (await target.plain('payment')).mustBe(201, noAnswerTo('payment')),
  'payment-start-content-type': async (target) => (await target.started()).exchange.mustBeJson(),
  async 'payment-start-url'(target) {
    const { exchange } = await target.started()
    const isObject = typeof exchange.json === 'object' && exchange.json !== null
    exchange.must(isObject, 'an object', shown(exchange.text))
    const { payment_url: url } = exchange.fields
    const sound = url === undefined || url === null || isAddress(url)
    exchange.must(sound, 'an absolute address', shown(url))
  },
  async 'payment-start-url-https'(target) {
    const { paymentUrl, exchange } = await withPage(target)
    const { protocol, hostname } = new URL(paymentUrl)
    exchange.must(protocol === 'https:' || isLoopbackHost(hostname), 'https', protocol)
  },
  async 'payment-start-each-method'(target) {
    for (const method of (await target.offered()).slice(0, 10)) {
      const { exchange } = await target.start(undefined, undefined, method)
      await target.mustAnswer('payment', exchange)
    }
  },
  async 'payment-start-method-by-name'(target) {
    const { exchange } = await target.start(namesService)
    await target.mustAnswer('payment', exchange, choiceInMethod)
  },
  async 'payment-start-addresses-differ'(target) {
    const [one, other] = [await withPage(target), await withPage(target)]
    const differ = one.paymentUrl !== other.paymentUrl
    other.exchange.must(differ, 'two addresses', 'the same one twice', faults.oneAddress)
  },
  async 'payment-start-choice-changed'(target) {
    const methods = await target.offered()
    if (methods.length < 2) throw new Skip('The provider offers only one payment method')
    const first = await target.start(namesService, undefined, methods[0])
    const second = await target.start(namesService, first, methods[1])
    await target.mustAnswer('payment', first.exchange, choiceInMethod)
    await target.mustAnswer('payment', second.exchange, choiceInMethod)
    const differ = addressOf(first) !== addressOf(second)
    const fault = await target.addressFault(first.paymentUrl)
    second.exchange.must(differ, 'another payment_url for another method', 'the same one', fault)
  },
  async 'payment-start-of-nothing'(target) {
    const free = set({ price_incl: 0, price_excl: 0, price_tax: 0 }, 'order')
    const { orderId, exchange } = await target.started(free)
    const status = await target.statusOf(orderId)
    if (!isWord(status)) throw new Skip('Its status is not one of the four words')
    exchange.must(status === 'paid', 'paid', shown(status))
  },
  async 'payment-start-not-guessable'(target) {
    const { paymentUrl, orderId, exchange } = await withPage(target)
    const { pathname, search } = new URL(paymentUrl)
    const rest = `${pathname}${search}`.replaceAll(String(orderId), '').replaceAll(`CHECK-`, '')
    exchange.must(/[\w-]{16,}/.test(rest), 'a random part of 16 characters or more', shown(rest))
  },
  async 'payment-start-page-opens'(target) {
    const page = await pageOf(target)
    const { status = 0 } = page
    page.must(status >= 200 && status < 400, 'a page', page.failure ?? `status ${status}`)
  },
  'payment-start-page-not-kept': async (target) =>
    (await directPageOf(target)).mustNotBeKept(/no-store|no-cache|private/),
  async 'payment-start-page-not-framed'(target) {
    const page = await directPageOf(target)
    const { 'content-security-policy': policy = '', 'x-frame-options': frames = '' } = page.answerHeaders
    const closed = String(policy).includes('frame-ancestors') || frames !== ''
    page.must(closed, 'frames forbidden', 'no header about frames')
  },
  async 'payment-start-no-customer-data-in-address'(target) {
    const { paymentUrl, message, exchange } = await withPage(target)
    const text = decodeURIComponent(paymentUrl.replaceAll('+', ' ')).toLowerCase()
    const { email, firstname, lastname, phone } = message.customer
    const personal = [email, `${firstname} ${lastname}`, phone]
    const isFound = personal.some((one) => text.includes(String(one).toLowerCase()))
    exchange.must(!isFound, 'no personal data', 'the customer in the address')
  },
})
