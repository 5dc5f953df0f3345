import { documented } from './sequence.ts'

/** Bank debits, bank transfers and vouchers through Stripe: slow, and a debit comes back for eight weeks. */
export const stripeBanks = documented(`
Accept a SEPA Direct Debit payment | https://docs.stripe.com/payments/sepa-debit/accept-a-payment
SEPA debit that succeeds on day 5 | 100.00 eur | expiresAfter=24h
  3m | checkout.session.completed, payment_status unpaid | pending
  3m | payment_intent.processing | pending
  5d | checkout.session.async_payment_succeeded | paid 100.00 #py_1
  = paid received=100.00 net=100.00 webhooks=paid
SEPA debit that begins just after our clock has ended its page | 100.00 eur
  61m | payment_intent.processing | pending
  5d | payment_intent.succeeded | paid 100.00 #py_1
  = paid received=100.00 net=100.00 webhooks=expired,paid
  ! late_paid | paid #py_1 | 100.00
SEPA debit that fails on day 4 | 100.00 eur | expiresAfter=24h
  3m | checkout.session.completed, payment_status unpaid | pending
  4d | checkout.session.async_payment_failed | failed | detail=insufficient_funds
  until 40d = cancelled webhooks=cancelled

SEPA Direct Debit payment disputes | https://support.stripe.com/questions/sepa-direct-debit-payment-disputes
SEPA debit that its bank takes back in week 7 | 100.00 eur
  3m | payment_intent.processing | pending
  5d | payment_intent.succeeded | paid 100.00 #py_1
  47d | charge.dispute.created, status lost | charged_back 100.00 #dp_1
  = paid received=100.00 chargedBack=100.00 net=0.00 webhooks=paid
  ! charged_back | charged_back #dp_1 | 100.00
SEPA debit that is refunded and taken back as well: the customer has it twice | 100.00 eur
  3m | payment_intent.processing | pending
  5d | payment_intent.succeeded | paid 100.00 #py_1
  8d | refund.created | refunded 100.00 #re_1
  20d | charge.dispute.created, status lost | charged_back 100.00 #dp_1
  until 21d = paid received=100.00 refunded=100.00 chargedBack=100.00 net=-100.00 webhooks=paid
  ! charged_back | charged_back #dp_1 | 100.00
  ! over_refunded | returned 200.00 eur live | 100.00

Accept a bank transfer | https://docs.stripe.com/payments/bank-transfers/accept-a-payment
bank transfer in two parts | 100.00 eur | expiresAfter=14d
  1m | payment_intent.requires_action | open
  2d | payment_intent.partially_funded | paid 60.00 #ccsbtxn_1
  4d | cash_balance.funds_available, applied to the payment | paid 40.00 #ccsbtxn_2
  4d | payment_intent.succeeded, amount_received 10000 | paid 100.00
  = paid received=100.00 net=100.00 webhooks=paid
bank transfer of too little | 100.00 eur | expiresAfter=14d
  2d | payment_intent.partially_funded | paid 60.00 #ccsbtxn_1
  until 15d = pending received=60.00 net=60.00
  ! underpaid | received 60.00 eur | 60.00
bank transfer whose second part comes after its time | 100.00 eur | expiresAfter=14d
  2d | payment_intent.partially_funded | paid 60.00 #ccsbtxn_1
  16d | payment_intent.succeeded | paid 40.00 #ccsbtxn_2
  = paid received=100.00 net=100.00 webhooks=paid
  ! underpaid | received 60.00 eur | 60.00

Accept an OXXO payment | https://docs.stripe.com/payments/oxxo/accept-a-payment
voucher that is paid in a shop the next day | 649.00 mxn | expiresAfter=24h
  1m | payment_intent.requires_action | open | expiresAt=3d
  2d | payment_intent.succeeded | paid 649.00 #ch_1
  = paid received=649.00 net=649.00 webhooks=paid
voucher that expires | 649.00 mxn | expiresAfter=24h
  1m | payment_intent.requires_action | open | expiresAt=5d
  4d | payment_intent.payment_failed | expired | detail=payment_intent_payment_attempt_expired
  = expired webhooks=expired
voucher that is paid in its last hour, and heard of the day after | 649.00 mxn
  1m | payment_intent.requires_action | open | expiresAt=3d
  4d | payment_intent.succeeded | paid 649.00 #ch_1 | at=71h
  = paid received=649.00 net=649.00 webhooks=expired,paid
  ! late_paid | paid #ch_1 | 649.00
`)
