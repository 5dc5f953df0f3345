import { documented } from './sequence.ts'

/** Cards through Stripe Checkout: charges, refunds and disputes carry ids, the session and the charge carry totals. */
export const stripeCards = documented(`
Fulfill orders | https://docs.stripe.com/checkout/fulfillment
card with 3-D Secure | 48.40 eur | expiresAfter=24h
  1m | payment_intent.requires_action | open
  2m | payment_intent.succeeded | paid 48.40 #ch_1
  2m | checkout.session.completed, payment_status paid | paid 48.40
  = paid received=48.40 net=48.40 webhooks=paid
a card is declined, another one on the same page succeeds | 48.40 eur | expiresAfter=24h
  1m | payment_intent.payment_failed | open | detail=card_declined
  4m | payment_intent.succeeded | paid 48.40 #ch_2
  = paid received=48.40 net=48.40 webhooks=paid
the session expires | 48.40 eur | expiresAfter=24h
  24h | checkout.session.expired | expired
  until 30d = expired webhooks=expired

Best practices for using webhooks: event ordering | https://stripe.com/docs/webhooks/best-practices#event-ordering
a session that is paid as it expires: its events arrive the wrong way round | 48.40 eur | expiresAfter=24h
  24h | checkout.session.expired | expired
  25h | payment_intent.succeeded | paid 48.40 #ch_1
  26h | checkout.session.expired, again | expired
  = paid received=48.40 net=48.40 webhooks=expired,paid
  ! late_paid | paid #ch_1 | 48.40
the refund of an order is heard of before its payment, and all of it twice | 48.40 eur
  10m | refund.created | refunded 48.40 #re_1
  11m | payment_intent.succeeded | paid 48.40 #ch_1
  12m | refund.created, again | refunded 48.40 #re_1
  13m | payment_intent.succeeded, again | paid 48.40 #ch_1
  until 1d = paid received=48.40 refunded=48.40 net=0.00 webhooks=paid
  ! paid_but_returned | paid #ch_1 | 48.40

Capture a payment multiple times | https://docs.stripe.com/payments/multicapture
authorised, captured in two parts | 100.00 eur | expiresAfter=24h
  2m | payment_intent.amount_capturable_updated | authorised 100.00
  1d | charge.captured, amount_captured 6000 | paid 60.00
  3d | charge.captured, amount_captured 10000 | paid 100.00
  = paid received=100.00 net=100.00 webhooks=paid

Capture a payment: uncaptured payments expire after 7 days | https://docs.stripe.com/api/charges/capture
an authorisation that counts as paid is never captured | 100.00 eur | authorisedIsPaid=true expiresAfter=24h
  2m | payment_intent.amount_capturable_updated | authorised 100.00
  7d | payment_intent.canceled | cancelled | detail=automatic
  = paid webhooks=paid
  ! authorisation_lost | cancelled | 100.00

Refund and cancel payments | https://docs.stripe.com/refunds
two partial refunds, each reported with its id and in the total of the charge | 100.00 eur
  2m | payment_intent.succeeded | paid 100.00 #ch_1
  3d | refund.created | refunded 30.00 #re_1
  3d | charge.refunded, amount_refunded 3000 | refunded 30.00
  5d | refund.created | refunded 20.00 #re_2
  5d | charge.refunded, amount_refunded 5000 | refunded 50.00
  = paid received=100.00 refunded=50.00 net=50.00 webhooks=paid
a refund that fails: the money comes back | 100.00 eur
  2m | payment_intent.succeeded | paid 100.00 #ch_1
  3d | refund.created | refunded 100.00 #re_1
  20d | refund.failed | refund_failed 100.00 #re_1
  = paid received=100.00 net=100.00 webhooks=paid

Disputes and fraud | https://docs.stripe.com/disputes
dispute lost | 100.00 eur
  2m | payment_intent.succeeded | paid 100.00 #ch_1
  20d | charge.dispute.funds_withdrawn | charged_back 100.00 #dp_1
  60d | charge.dispute.closed, status lost | charged_back 100.00 #dp_1
  = paid received=100.00 chargedBack=100.00 net=0.00 webhooks=paid
  ! charged_back | charged_back #dp_1 | 100.00
dispute won after a partial refund | 100.00 eur
  2m | payment_intent.succeeded | paid 100.00 #ch_1
  4d | refund.created | refunded 30.00 #re_1
  20d | charge.dispute.funds_withdrawn | charged_back 70.00 #dp_1
  60d | charge.dispute.funds_reinstated | chargeback_won 70.00 #dp_1
  = paid received=100.00 refunded=30.00 chargedBack=70.00 chargebackWon=70.00 net=70.00 webhooks=paid
  ! charged_back | charged_back #dp_1 | 70.00
the whole life of an order on two attempts, with movements beside totals | 100.00 eur | expiresAfter=24h
  2m | payment_intent.payment_failed | open
  10m | start again amount=80.00
  11m | checkout.session.expired, of the first session | cancelled
  12m | charge.captured, amount_captured 5000 | paid 50.00 | attempt=2
  13m | charge.succeeded | paid 80.00 #ch_1 | attempt=2
  3d | refund.created | refunded 10.00 #re_1 | attempt=2
  4d | refund.created | refunded 20.00 #re_2 | attempt=2
  5d | charge.refunded, amount_refunded 3000 | refunded 30.00 | attempt=2
  20d | charge.dispute.funds_withdrawn | charged_back 50.00 #dp_1 | attempt=2
  = paid received=80.00 refunded=30.00 chargedBack=50.00 net=0.00 webhooks=paid
  ! charged_back | charged_back #dp_1 | 50.00
`)
