import { documented } from './sequence.ts'

/** GoCardless: bank debits only. Days pass before one is confirmed, and it can fail or come back after that. */
export const gocardless = documented(`
Webhooks for partners | https://developer.gocardless.com/partners/webhooks-for-partners
submitted, confirmed, paid out | 80.00 gbp
  2m | payments created | pending
  1d | payments submitted | pending
  5d | payments confirmed | paid 80.00 #PM123
  7d | payments paid_out | paid 80.00 #PM123
  = paid received=80.00 net=80.00 webhooks=paid
fails on day 4 | 80.00 gbp
  2m | payments created | pending
  4d | payments failed, will_attempt_retry false | failed | detail=insufficient_funds
  = cancelled webhooks=cancelled
fails, is tried again by the service, and confirmed | 80.00 gbp
  2m | payments created | pending
  4d | payments failed, will_attempt_retry true | pending | detail=insufficient_funds
  11d | payments confirmed | paid 80.00 #PM123
  = paid received=80.00 net=80.00 webhooks=paid

Real-Time Reconciliation events for GoCardless | https://docs.zuora.com/zuora-payments/report-and-reconcile-transactions/real-time-reconciliation-overview/configure-real-time-reconciliation/enable-and-configure-real-time-reconciliation-for-gocardless/real-time-reconciliation-events-for-gocardless
fails after it was confirmed | 80.00 gbp | expiresAfter=14d
  5d | payments confirmed | paid 80.00 #PM123
  6d | payments late_failure_settled | charged_back 80.00 #EV2
  = paid received=80.00 chargedBack=80.00 net=0.00 webhooks=paid
  ! charged_back | charged_back #EV2 | 80.00
charged back, and the chargeback is cancelled | 80.00 gbp | expiresAfter=14d
  5d | payments confirmed | paid 80.00 #PM123
  30d | payments charged_back | charged_back 80.00 #EV3
  33d | payments chargeback_cancelled | chargeback_won 80.00 #EV4
  = paid received=80.00 chargedBack=80.00 chargebackWon=80.00 net=80.00 webhooks=paid
  ! charged_back | charged_back #EV3 | 80.00
an action that the adapter does not know yet | 80.00 gbp
  2m | payments created | pending
  3d | payments surcharge_fee_debited | unknown | detail=surcharge_fee_debited
  5d | payments confirmed | paid 80.00 #PM123
  = paid received=80.00 net=80.00 webhooks=paid
  ! unknown_status | unknown surcharge_fee_debited
`)
