import { documented } from './sequence.ts'

/**
 * Adyen names every modification by a pspReference of its own. All events of a dispute share one, so the adapter puts the stage behind it
 * where money moves a second time.
 */
export const adyen = documented(`
Webhook structure and types | https://docs.adyen.com/development-resources/webhooks/webhook-types
card with 3-D Secure, authorised and captured at once | 11.30 eur | authorisedIsPaid=true
  1m | /payments: RedirectShopper | open
  2m | AUTHORISATION, success true | authorised 11.30 #7914073381342284
  3m | CAPTURE, success true | paid 11.30 #8814073381342285
  = paid received=11.30 net=11.30 webhooks=paid
everything comes twice, the capture before its authorisation | 11.30 eur | authorisedIsPaid=true
  3m | CAPTURE | paid 11.30 #C1
  4m | AUTHORISATION | authorised 11.30 #A1
  5m | CAPTURE, again | paid 11.30 #C1
  6m | AUTHORISATION, again | authorised 11.30 #A1
  = paid received=11.30 net=11.30 webhooks=paid
an event with live false about a live payment | 11.30 eur
  2m | CAPTURE, live false | paid 11.30 #C1 | mode=test
  = pending | 11.30 eur test
  ! paid_other_mode | paid #C1 | 11.30

Capture an authorised payment | https://docs.adyen.com/api-explorer/Checkout/52/post/payments/_paymentPspReference_/captures
authorised, captured in three parts | 100.00 eur
  2m | AUTHORISATION, success true | authorised 100.00 #A1
  1d | CAPTURE | paid 50.00 #C1
  2d | CAPTURE | paid 30.00 #C2
  3d | CAPTURE | paid 20.00 #C3
  = paid received=100.00 net=100.00 webhooks=paid
captured in part, the rest is cancelled: what was authorised counted as paid | 100.00 eur | authorisedIsPaid=true
  2m | AUTHORISATION, success true | authorised 100.00 #A1
  1d | CAPTURE | paid 80.00 #C1
  2d | CANCELLATION | cancelled
  = paid received=80.00 net=80.00 webhooks=paid
  ! authorisation_lost | cancelled | 20.00
captured in part, the rest is cancelled: what was authorised counted as nothing | 100.00 eur
  2m | AUTHORISATION, success true | authorised 100.00 #A1
  1d | CAPTURE | paid 80.00 #C1
  2d | CANCELLATION | cancelled
  = cancelled received=80.00 net=80.00 webhooks=cancelled
  ! underpaid | received 80.00 eur | 80.00

CAPTURE_FAILED and REFUND_FAILED reasons | https://docs.adyen.com/online-payments/capture/failure-reasons
a capture that the scheme rejects afterwards | 100.00 eur
  2m | AUTHORISATION, success true | authorised 100.00 #A1
  1d | CAPTURE | paid 100.00 #C1
  3d | CAPTURE_FAILED | charged_back 100.00 #C1
  = paid received=100.00 chargedBack=100.00 net=0.00 webhooks=paid
  ! charged_back | charged_back #C1 | 100.00
a refund that fails, and is made again | 100.00 eur
  3m | CAPTURE | paid 100.00 #C1
  5d | REFUND, success true | refunded 40.00 #R1
  7d | REFUND_FAILED | refund_failed 40.00 #R1
  8d | REFUND, success true | refunded 40.00 #R2
  = paid received=100.00 refunded=40.00 net=60.00 webhooks=paid
the failure of a refund is heard of first | 100.00 eur
  3m | CAPTURE | paid 100.00 #C1
  7d | REFUND_FAILED | refund_failed 40.00 #R1
  8d | REFUND, success true | refunded 25.00 #R2
  9d | REFUND, success true, delivered late | refunded 40.00 #R1
  = paid received=100.00 refunded=25.00 net=75.00 webhooks=paid

Chargeback successfully defended | https://docs.adyen.com/api-explorer/Webhooks/1/post/CHARGEBACK_REVERSED
a dispute that is defended | 100.00 eur
  3m | CAPTURE | paid 100.00 #C1
  30d | CHARGEBACK | charged_back 100.00 #D1
  31d | CHARGEBACK_REVERSED | chargeback_won 100.00 #D1
  = paid received=100.00 chargedBack=100.00 chargebackWon=100.00 net=100.00 webhooks=paid
  ! charged_back | charged_back #D1 | 100.00
a dispute that is defended and then lost to a second chargeback | 100.00 eur
  3m | CAPTURE | paid 100.00 #C1
  30d | CHARGEBACK | charged_back 100.00 #D1
  31d | CHARGEBACK_REVERSED | chargeback_won 100.00 #D1
  60d | SECOND_CHARGEBACK | charged_back 100.00 #D1/second
  = paid received=100.00 chargedBack=200.00 chargebackWon=100.00 net=0.00 webhooks=paid
  ! charged_back | charged_back #D1 | 100.00
  ! charged_back | charged_back #D1/second | 100.00
the whole life of an order: two captures, a refund that fails, a dispute that is won | 100.00 eur
  2m | AUTHORISATION, success true | authorised 100.00 #A1
  1d | CAPTURE | paid 70.00 #C1
  2d | CAPTURE | paid 30.00 #C2
  9d | REFUND, success true | refunded 30.00 #R1
  11d | REFUND_FAILED | refund_failed 30.00 #R1
  30d | CHARGEBACK | charged_back 70.00 #D1
  45d | CHARGEBACK_REVERSED | chargeback_won 70.00 #D1
  = paid received=100.00 chargedBack=70.00 chargebackWon=70.00 net=100.00 webhooks=paid
  ! charged_back | charged_back #D1 | 70.00

Cardholder's bank accepted pre-arbitration case | https://docs.adyen.com/api-explorer/Webhooks/latest/post/PREARBITRATION_WON
pre-arbitration, won in the end | 100.00 eur
  3m | CAPTURE | paid 100.00 #C1
  30d | CHARGEBACK | charged_back 60.00 #D1
  75d | PREARBITRATION_WON | chargeback_won 60.00 #D1/prearbitration
  = paid received=100.00 chargedBack=60.00 chargebackWon=60.00 net=100.00 webhooks=paid
  ! charged_back | charged_back #D1 | 60.00

Multibanco | https://docs.adyen.com/payment-methods/multibanco/
voucher that is paid at a cash machine on day 3 | 100.00 eur
  1m | /payments: PresentToShopper | open | expiresAt=7d
  1m | PENDING | open
  3d | AUTHORISATION, success true | paid 100.00 #A1
  = paid received=100.00 net=100.00 webhooks=paid
voucher that nobody pays | 100.00 eur
  1m | /payments: PresentToShopper | open | expiresAt=7d
  8d | OFFER_CLOSED | expired
  = expired webhooks=expired
`)
