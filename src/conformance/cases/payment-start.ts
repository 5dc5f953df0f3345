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

export const paymentStartCases = casesOf(shared, {
  'payment-start-status': {
    must: 'The start of a payment is answered with 201',
    platform: 'The order stays unpaid, and the customer is asked to try again.',
    remedy: 'Answer with status 201.',
    run: async (target) => (await target.plain('payment')).mustBe(201, noAnswerTo('payment')),
  },
  'payment-start-content-type': {
    must: 'Its answer is labelled as JSON',
    platform: 'Some platforms read it anyway, others do not send the customer to pay.',
    remedy: 'Send Content-Type: application/json.',
    run: async (target) => (await target.started()).exchange.mustBeJson(),
  },
  'payment-start-url': {
    must: 'payment_url is an absolute address, or is left out',
    platform: 'The customer goes to the thank-you page without having paid.',
    remedy: 'Send the whole address, with https:// in front.',
    async run(target) {
      const { exchange } = await target.started()
      const isObject = typeof exchange.json === 'object' && exchange.json !== null
      exchange.must(isObject, 'an object', shown(exchange.text))
      const { payment_url: url } = exchange.fields
      const sound = url === undefined || url === null || isAddress(url)
      exchange.must(sound, 'an absolute address', shown(url))
    },
  },
  'payment-start-url-https': {
    must: 'Customers pay at an https address',
    platform: 'Browsers warn the customer.',
    remedy: 'Serve the payment page over https.',
    async run(target) {
      const { paymentUrl, exchange } = await withPage(target)
      const { protocol, hostname } = new URL(paymentUrl)
      exchange.must(protocol === 'https:' || isLoopbackHost(hostname), 'https', protocol)
    },
  },
  'payment-start-each-method': {
    must: 'Every offered method can be used to pay',
    platform: 'The customer chooses a method, and the order cannot be paid.',
    remedy: 'Accept every id that payment_methods has answered.',
    async run(target) {
      for (const method of (await target.offered()).slice(0, 10)) {
        const { exchange } = await target.start(undefined, undefined, method)
        await target.mustAnswer('payment', exchange)
      }
    },
  },
  'payment-start-method-by-name': {
    should: 'The method is found by payment_method.method too',
    section: 'spec 2.4',
    platform: 'If the two differ, the order cannot be paid.',
    remedy: 'Look for the chosen method in payment_method.id and in payment_method.method.',
    async run(target) {
      const { exchange } = await target.start(namesService)
      await target.mustAnswer('payment', exchange, choiceInMethod)
    },
  },
  'payment-start-addresses-differ': {
    must: 'Two orders have two payment addresses',
    platform: 'One customer pays for the order of another.',
    remedy: 'Create a separate payment_url for each order.',
    async run(target) {
      const [one, other] = [await withPage(target), await withPage(target)]
      const differ = one.paymentUrl !== other.paymentUrl
      other.exchange.must(differ, 'two addresses', 'the same one twice', faults.oneAddress)
    },
  },
  'payment-start-choice-changed': {
    should: 'Another method of the same service is another payment',
    section: 'spec 2.4',
    platform: 'The customer chooses another method, and gets the page of the first one.',
    remedy: 'Read the choice from payment_method.method if payment_method.id names the service.',
    async run(target) {
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
  },
  'payment-start-of-nothing': {
    should: 'An order of 0.00 is paid at once',
    section: 'spec 3.1',
    platform: 'An order that a voucher covers waits for a payment of 0.00, and is not sent.',
    remedy: 'Answer paid for an order of 0.00 once it is started, without a call to the payment service.',
    async run(target) {
      const free = set({ price_incl: 0, price_excl: 0, price_tax: 0 }, 'order')
      const { orderId, exchange } = await target.started(free)
      const status = await target.statusOf(orderId)
      if (!isWord(status)) throw new Skip('Its status is not one of the four words')
      exchange.must(status === 'paid', 'paid', shown(status))
    },
  },
  'payment-start-not-guessable': {
    should: 'The address of a payment cannot be guessed from its order number',
    platform: 'Anyone can open the payments of other customers by counting.',
    remedy: 'Put a random token of 128 bits or more into payment_url.',
    async run(target) {
      const { paymentUrl, orderId, exchange } = await withPage(target)
      const { pathname, search } = new URL(paymentUrl)
      const rest = `${pathname}${search}`.replaceAll(String(orderId), '').replaceAll(`CHECK-`, '')
      exchange.must(/[\w-]{16,}/.test(rest), 'a random part of 16 characters or more', shown(rest))
    },
  },
  'payment-start-page-opens': {
    must: 'The address opens a page',
    platform: 'The customer sees an error instead of a way to pay.',
    remedy: 'Answer a GET of payment_url with a page of status 200, or redirect to one.',
    async run(target) {
      const page = await pageOf(target)
      const { status = 0 } = page
      page.must(status >= 200 && status < 400, 'a page', page.failure ?? `status ${status}`)
    },
  },
  'payment-start-page-not-kept': {
    should: 'No cache stores the payment page',
    platform: 'Going back in the browser shows a payment that is over.',
    remedy: 'Send Cache-Control: no-store with payment pages.',
    run: async (target) => (await directPageOf(target)).mustNotBeKept(/no-store|no-cache|private/),
  },
  'payment-start-page-not-framed': {
    should: 'No other site can put the payment page into a frame',
    platform: 'Another site can make customers click buttons that they do not see.',
    remedy: "Send Content-Security-Policy: frame-ancestors 'none', or X-Frame-Options: DENY.",
    async run(target) {
      const page = await directPageOf(target)
      const { 'content-security-policy': policy = '', 'x-frame-options': frames = '' } = page.answerHeaders
      const closed = String(policy).includes('frame-ancestors') || frames !== ''
      page.must(closed, 'frames forbidden', 'no header about frames')
    },
  },
  'payment-start-no-customer-data-in-address': {
    must: 'The address contains no customer data',
    platform: 'Names and e-mail addresses end up in logs and histories.',
    remedy: 'Keep customer data on your side, under a token.',
    async run(target) {
      const { paymentUrl, message, exchange } = await withPage(target)
      const text = decodeURIComponent(paymentUrl.replaceAll('+', ' ')).toLowerCase()
      const { email, firstname, lastname, phone } = message.customer
      const personal = [email, `${firstname} ${lastname}`, phone]
      const isFound = personal.some((one) => text.includes(String(one).toLowerCase()))
      exchange.must(!isFound, 'no personal data', 'the customer in the address')
    },
  },
})
