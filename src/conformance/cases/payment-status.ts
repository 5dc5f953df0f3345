import { paymentStatuses } from '../../contract/index.ts'
import { faults } from '../answers.ts'
import { type CaseByName, casesOf } from '../case.ts'
import { asFault, type Exchange, shown } from '../exchange.ts'
import type { Target } from '../target.ts'

const shared = { topic: 'payment status', about: 'payments', section: 'spec 4.3', writes: true } as const

/** Checks the answer to a status call for a payment that was just started. */
const ofStarted = (check: (exchange: Exchange) => void) => async (target: Target) => {
  const exchange = await target.statusCall((await target.started()).orderId)
  exchange.mustSucceed(faults.noStatus)
  check(exchange)
}

export const paymentStatusCases = casesOf(shared, {
  'status-answered': {
    must: 'The status of a started payment is answered with 200',
    platform: 'The order keeps its old status forever.',
    remedy: 'Answer GET payment/{order_id} with status 200.',
    run: ofStarted((exchange) => exchange.mustBe(200)),
  },
  'status-word': {
    must: 'It is one of paid, pending, expired and cancelled',
    section: 'spec 3.1',
    platform: 'The platform ignores any other word, also one in capitals: the order keeps its old status.',
    remedy: 'Translate the words of your payment service into these four.',
    run: ofStarted((exchange) => {
      const status = statusIn(exchange)
      const isWord = paymentStatuses.includes(status)
      exchange.must(isWord, paymentStatuses.join(', '), shown(status), faults.statusWord)
    }),
  },
  'status-content-type': {
    must: 'It is labelled as JSON',
    platform: 'Some platforms read it anyway, others keep the old status.',
    remedy: 'Send Content-Type: application/json.',
    run: ofStarted((exchange) => exchange.mustBeJson()),
  },
  'status-not-paid-at-start': {
    must: 'No order is paid before the customer has paid',
    section: 'spec 3.1',
    platform: 'The shop sends goods that are not paid for.',
    remedy: 'Answer pending until the payment service has confirmed the money.',
    run: ofStarted((exchange) => {
      const isPaid = statusIn(exchange) === 'paid'
      exchange.must(!isPaid, 'anything but paid', 'paid', faults.paidAtStart)
    }),
  },
  'status-unknown-order-not-paid': {
    writes: false,
    must: 'An order that was never started is not paid',
    section: 'spec 3.1',
    platform: 'The shop sends goods that are not paid for.',
    remedy: 'Answer paid only for an order whose payment you know.',
    async run(target) {
      const exchange = await target.statusCall(target.newOrderId())
      exchange.must(statusIn(exchange) !== 'paid', 'anything but paid', 'paid', faults.unknownOrder)
    },
  },
  'status-unknown-order': {
    writes: false,
    should: 'An order that was never started has no status',
    platform: 'A status for an unknown order belongs to the wrong order.',
    remedy: 'Answer 404 for an order that you do not know.',
    run: async (target) => (await target.statusCall(target.newOrderId())).mustBeRefused(faults.unknownOrder),
  },
  'status-odd-order-text': oddOrder('abc', 'that is text'),
  'status-odd-order-negative': oddOrder('-1', 'below 0'),
  'status-odd-order-huge': oddOrder('99999999999999999999', 'larger than any number'),
  'status-odd-order-injection': oddOrder("1' OR '1'='1", 'with a piece of SQL'),
  'status-odd-order-traversal': oddOrder('../payment_methods', 'with a way up'),
  'status-asking-changes-nothing': {
    must: 'Asking for the status changes nothing',
    platform: 'The platform may ask at any time, even for days.',
    remedy: 'Make GET only read.',
    async run(target) {
      const { orderId } = await target.started()
      const first = await target.statusOf(orderId)
      for (let times = 0; times < 3; times++) {
        const exchange = await target.statusCall(orderId)
        exchange.must(statusIn(exchange) === first, first, shown(statusIn(exchange)))
      }
    },
  },
  'status-not-kept': {
    should: 'No cache stores the status',
    platform: 'A proxy answers pending after the customer has paid.',
    remedy: 'Send Cache-Control: no-store.',
    run: ofStarted((exchange) => exchange.mustNotBeKept(/no-store|no-cache|private|max-age=0/)),
  },
})

const statusIn = ({ fields }: Exchange) => fields.status

function oddOrder(id: string, words: string): CaseByName {
  return {
    writes: false,
    should: `An order id ${words} is answered without failing`,
    platform: 'A failure counts against the provider, and may show its internals to strangers.',
    remedy: 'Treat an invalid order id as an unknown order: 404.',
    async run(target) {
      const exchange = await target.statusCall(encodeURIComponent(id))
      await asFault('a failure for an invalid order id', () => exchange.mustBeRefused(faults.unknownOrder))
    },
  }
}
