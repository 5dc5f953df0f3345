import { paymentStatuses } from '../../contract/index.ts'
import { faults } from '../answers.ts'
import { casesOf } from '../case.ts'
import { asFault, type Exchange, shown } from '../exchange.ts'
import type { Target } from '../target.ts'

const shared = { topic: 'payment status', about: 'payments', section: 'spec 4.3', writes: true } as const
/** Of the cases of odd order ids. */
const platform = 'A failure counts against the provider, and may show its internals to strangers.'

/** Checks the answer to a status call for a payment that was just started. */
const ofStarted = (check: (exchange: Exchange) => void) => async (target: Target) => {
  const exchange = await target.statusCall((await target.started()).orderId)
  exchange.mustSucceed(faults.noStatus)
  check(exchange)
}

const oddOrder = (id: string) => ({
  writes: false,
  async run(target: Target) {
    const exchange = await target.statusCall(encodeURIComponent(id))
    await asFault('a failure for an invalid order id', () => exchange.mustBeRefused(faults.unknownOrder))
  },
})

const table = `
status-answered | must | The status of a started payment is answered with 200
  | The order keeps its old status forever. | Answer GET payment/{order_id} with status 200.
status-word | must, spec 3.1 | It is one of paid, pending, expired and cancelled
  | The platform ignores any other word, also one in capitals: the order keeps its old status.
  | Translate the words of your payment service into these four.
status-content-type | must | It is labelled as JSON
  | Some platforms read it anyway, others keep the old status. | Send Content-Type: application/json.
status-not-paid-at-start | must, spec 3.1 | No order is paid before the customer has paid
  | The shop sends goods that are not paid for. | Answer pending until the payment service has confirmed the money.
status-unknown-order-not-paid | must, spec 3.1 | An order that was never started is not paid
  | The shop sends goods that are not paid for. | Answer paid only for an order whose payment you know.
status-unknown-order | should | An order that was never started has no status
  | A status for an unknown order belongs to the wrong order. | Answer 404 for an order that you do not know.
status-odd-order-text | should | An order id that is text is answered without failing | Treat an invalid order id as an unknown order: 404.
status-odd-order-negative | should | An order id below 0 is answered without failing | Treat an invalid order id as an unknown order: 404.
status-odd-order-huge | should | An order id larger than any number is answered without failing | Treat an invalid order id as an unknown order: 404.
status-odd-order-injection | should | An order id with a piece of SQL is answered without failing | Treat an invalid order id as an unknown order: 404.
status-odd-order-traversal | should | An order id with a way up is answered without failing | Treat an invalid order id as an unknown order: 404.
status-asking-changes-nothing | must | Asking for the status changes nothing
  | The platform may ask at any time, even for days. | Make GET only read.
status-not-kept | should | No cache stores the status
  | A proxy answers pending after the customer has paid. | Send Cache-Control: no-store.
`

export const paymentStatusCases = casesOf({ ...shared, platform }, table, {
  'status-answered': ofStarted((exchange) => exchange.mustBe(200)),
  'status-word': ofStarted((exchange) => {
    const status = statusIn(exchange)
    const isWord = paymentStatuses.includes(status)
    exchange.must(isWord, paymentStatuses.join(', '), shown(status), faults.statusWord)
  }),
  'status-content-type': ofStarted((exchange) => exchange.mustBeJson()),
  'status-not-paid-at-start': ofStarted((exchange) => {
    const isPaid = statusIn(exchange) === 'paid'
    exchange.must(!isPaid, 'anything but paid', 'paid', faults.paidAtStart)
  }),
  'status-unknown-order-not-paid': {
    writes: false,
    async run(target) {
      const exchange = await target.statusCall(target.newOrderId())
      exchange.must(statusIn(exchange) !== 'paid', 'anything but paid', 'paid', faults.unknownOrder)
    },
  },
  'status-unknown-order': {
    writes: false,
    run: async (target) => (await target.statusCall(target.newOrderId())).mustBeRefused(faults.unknownOrder),
  },
  'status-odd-order-text': oddOrder('abc'),
  'status-odd-order-negative': oddOrder('-1'),
  'status-odd-order-huge': oddOrder('99999999999999999999'),
  'status-odd-order-injection': oddOrder("1' OR '1'='1"),
  'status-odd-order-traversal': oddOrder('../payment_methods'),
  async 'status-asking-changes-nothing'(target) {
    const { orderId } = await target.started()
    const first = await target.statusOf(orderId)
    for (let times = 0; times < 3; times++) {
      const exchange = await target.statusCall(orderId)
      exchange.must(statusIn(exchange) === first, first, shown(statusIn(exchange)))
    }
  },
  'status-not-kept': ofStarted((exchange) => exchange.mustNotBeKept(/no-store|no-cache|private|max-age=0/)),
})

const statusIn = ({ fields }: Exchange) => fields.status
