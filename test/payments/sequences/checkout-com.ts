import { documented } from './sequence.ts'

/** Checkout.com: each action of a payment has an id, and each dispute. */
export const checkoutCom = documented(`
Event types | https://www.checkout.com/docs/reporting-and-insights/events-api/event-types
card with 3-D Secure | 65.40 gbp
  1m | payment_pending | open
  2m | payment_approved | authorised 65.40 #act_1
  3m | payment_captured | paid 65.40 #act_2
  = paid received=65.40 net=65.40 webhooks=paid
declined, and paid at the second start | 65.40 gbp
  2m | payment_declined | failed | detail=20051
  4m | start again
  6m | payment_captured | paid 65.40 #act_2 | attempt=2
  = paid received=65.40 net=65.40 webhooks=cancelled,paid
authorised and voided | 65.40 gbp
  2m | payment_approved | authorised 65.40 #act_1
  2d | payment_voided | cancelled
  = cancelled webhooks=cancelled
a capture is declined, the next one succeeds | 65.40 gbp
  2m | payment_approved | authorised 65.40 #act_1
  1d | payment_capture_declined | pending
  2d | payment_captured | paid 65.40 #act_3
  = paid received=65.40 net=65.40 webhooks=paid
one refund succeeds, another is declined | 65.40 gbp
  3m | payment_captured | paid 65.40 #act_2
  4d | payment_refunded | refunded 20.00 #act_4
  5d | payment_refund_declined | refund_failed 15.40 #act_5
  = paid received=65.40 refunded=20.00 net=45.40 webhooks=paid
dispute won | 65.40 gbp
  3m | payment_captured | paid 65.40 #act_2
  12d | dispute_evidence_required | charged_back 65.40 #dsp_1
  50d | dispute_won | chargeback_won 65.40 #dsp_1
  = paid received=65.40 chargedBack=65.40 chargebackWon=65.40 net=65.40 webhooks=paid
  ! charged_back | charged_back #dsp_1 | 65.40
dispute lost because nobody answered | 65.40 gbp
  3m | payment_captured | paid 65.40 #act_2
  12d | dispute_evidence_required | charged_back 30.00 #dsp_1
  30d | dispute_expired | charged_back 30.00 #dsp_1
  31d | dispute_lost | charged_back 30.00 #dsp_1
  = paid received=65.40 chargedBack=30.00 net=35.40 webhooks=paid
  ! charged_back | charged_back #dsp_1 | 30.00
a dispute of a payment that was refunded: resolved by the service a day later | 65.40 gbp
  3m | payment_captured | paid 65.40 #act_2
  4d | payment_refunded | refunded 65.40 #act_4
  12d | dispute_evidence_required | charged_back 65.40 #dsp_1
  13d | dispute_resolved | chargeback_won 65.40 #dsp_1
  = paid received=65.40 refunded=65.40 chargedBack=65.40 chargebackWon=65.40 net=0.00 webhooks=paid
  ! charged_back | charged_back #dsp_1 | 65.40
  ! over_refunded | returned 130.80 gbp live | 65.40
`)
