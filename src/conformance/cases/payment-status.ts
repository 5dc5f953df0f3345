import { paymentStatuses } from '../../contract/index.ts'
import { type CaseByName, casesOf } from '../case.ts'
import { asFault, expectRefused, expectStatus, expectSuccess, expectThat, shown } from '../exchange.ts'
import { type Exchange, faults, keptFault, type Message, type Target } from '../target.ts'
import { expectJson } from './methods.ts'

const shared = { topic: 'payment status', about: 'payments', section: 'spec 4.3', writes: true } as const

/** Checks the answer to a status call for a payment that was just started. */
const ofStarted = (check: (exchange: Exchange) => void) => async (target: Target) => {
  const exchange = await target.statusCall((await target.started()).orderId)
  expectSuccess(exchange, faults.noStatus)
  check(exchange)
}

/** GET payment/{order_id} (spec 4.3, 3.1). */
export const paymentStatusCases = casesOf(shared, {
  'status-answered': {
    title: 'The status of a started payment is answered with 200',
    platform: 'The order keeps its old status forever.',
    remedy: 'Answer GET payment/{order_id} with status 200.',
    run: ofStarted((exchange) => expectStatus(exchange, 200)),
  },
  'status-word': {
    title: 'It is one of paid, pending, expired and cancelled',
    section: 'spec 3.1',
    platform: 'It ignores any other word, also one in capitals: the order keeps its old status.',
    remedy: 'Translate the words of your payment service into these four.',
    run: ofStarted((exchange) => {
      const status = statusIn(exchange)
      const isWord = paymentStatuses.includes(status)
      expectThat(isWord, paymentStatuses.join(', '), shown(status), exchange, faults.statusWord)
    }),
  },
  'status-content-type': {
    title: 'It is labelled as JSON',
    platform: 'Some platforms read it anyway, others keep the old status.',
    remedy: 'Send Content-Type: application/json.',
    run: ofStarted((exchange) => expectJson(exchange)),
  },
  'status-not-paid-at-start': {
    title: 'No order is paid before the customer has paid',
    section: 'spec 3.1',
    platform: 'The shop sends goods that are not paid for.',
    remedy: 'Answer pending until the payment service has confirmed the money.',
    run: ofStarted((exchange) => {
      const isPaid = statusIn(exchange) === 'paid'
      expectThat(!isPaid, 'anything but paid', 'paid', exchange, faults.paidAtStart)
    }),
  },
  'status-unknown-order-not-paid': {
    writes: false,
    title: 'An order that was never started is not paid',
    section: 'spec 3.1',
    platform: 'The shop sends goods that are not paid for.',
    remedy: 'Answer paid only for an order whose payment you know.',
    async run(target) {
      const exchange = await target.statusCall(target.newOrderId())
      expectThat(statusIn(exchange) !== 'paid', 'anything but paid', 'paid', exchange, faults.unknownOrder)
    },
  },
  'status-unknown-order': {
    writes: false,
    title: 'An order that was never started has no status',
    level: 'should',
    platform: 'A status for an unknown order belongs to the wrong order.',
    remedy: 'Answer 404 for an order that you do not know.',
    async run(target) {
      const exchange = await target.statusCall(target.newOrderId())
      expectRefused(exchange, faults.unknownOrder)
    },
  },
  'status-odd-order-text': oddOrder('abc', 'that is text'),
  'status-odd-order-negative': oddOrder('-1', 'below 0'),
  'status-odd-order-huge': oddOrder('99999999999999999999', 'larger than any number'),
  'status-odd-order-injection': oddOrder("1' OR '1'='1", 'with a piece of SQL'),
  'status-odd-order-traversal': oddOrder('../payment_methods', 'with a way up'),
  'status-asking-changes-nothing': {
    title: 'Asking for the status changes nothing',
    platform: 'It may ask at any time, also for days.',
    remedy: 'Make GET only read.',
    async run(target) {
      const { orderId } = await target.started()
      const first = await target.statusOf(orderId)
      for (let times = 0; times < 3; times++) {
        const exchange = await target.statusCall(orderId)
        const status = statusIn(exchange)
        expectThat(status === first, first, shown(status), exchange)
      }
    },
  },
  'status-not-kept': {
    title: 'No cache stores the status',
    level: 'should',
    platform: 'A proxy answers pending after the customer has paid.',
    remedy: 'Send Cache-Control: no-store.',
    run: ofStarted((exchange) => {
      const kept = exchange.answerHeaders['cache-control'] ?? 'no Cache-Control'
      const isOff = /no-store|no-cache|private|max-age=0/.test(kept)
      expectThat(isOff, 'no-store', kept, exchange, keptFault(kept))
    }),
  },
})

const statusIn = ({ json }: Exchange) => ((json ?? {}) as Message).status

function oddOrder(id: string, words: string): CaseByName {
  return {
    writes: false,
    title: `An order id ${words} is answered without failing`,
    level: 'should',
    platform: 'A failure counts against the provider, and may reveal its insides to strangers.',
    remedy: 'Treat an invalid order id as an unknown order: 404.',
    async run(target) {
      const exchange = await target.statusCall(encodeURIComponent(id))
      await asFault('a failure for an invalid order id', () => expectRefused(exchange, faults.unknownOrder))
    },
  }
}
