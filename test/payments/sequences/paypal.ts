import { documented } from './sequence.ts'

/** PayPal: authorisations, captures and refunds have ids. A capture may wait for days for an eCheck to clear. */
export const paypal = documented(`
Payments v2 webhook events | https://docs.paypal.ai/reference/webhook-events/payments-v2
approved and captured at once | 23.99 usd
  2m | CHECKOUT.ORDER.APPROVED | pending
  2m | PAYMENT.CAPTURE.COMPLETED | paid 23.99 #CAPTURE001
  = paid received=23.99 net=23.99 webhooks=paid
authorised, captured in two parts | 100.00 usd
  2m | PAYMENT.AUTHORIZATION.CREATED | authorised 100.00 #7W5147081L658180V
  2d | PAYMENT.CAPTURE.COMPLETED, final_capture false | paid 70.00 #CAPTURE001
  9d | PAYMENT.CAPTURE.COMPLETED, final_capture true | paid 30.00 #CAPTURE002
  = paid received=100.00 net=100.00 webhooks=paid
an authorisation that reaches its 30th day | 100.00 usd
  2m | PAYMENT.AUTHORIZATION.CREATED | authorised 100.00 #7W5147081L658180V
  29d | PAYMENT.AUTHORIZATION.VOIDED | cancelled
  = cancelled webhooks=cancelled
refunded in two parts until nothing is left | 100.00 usd
  2m | PAYMENT.CAPTURE.COMPLETED | paid 100.00 #CAPTURE001
  2d | PAYMENT.CAPTURE.REFUNDED | refunded 25.00 #REFUND001
  9d | PAYMENT.CAPTURE.REFUNDED | refunded 75.00 #REFUND002
  until 10d = paid received=100.00 refunded=100.00 net=0.00 webhooks=paid
money in another currency than the order owes | 100.00 eur
  2m | PAYMENT.CAPTURE.COMPLETED, in usd | paid 108.00 usd #CAPTURE001
  until 2d = pending | 108.00 usd live
  ! paid_other_currency | paid #CAPTURE001 | 108.00

The status and status details of a captured payment | https://developer.paypal.com/sdk/orders/v2/definitions/capture_status
an eCheck that clears on day 5 | 23.99 usd
  2m | PAYMENT.CAPTURE.PENDING, ECHECK | pending | detail=ECHECK
  5d | PAYMENT.CAPTURE.COMPLETED | paid 23.99 #CAPTURE001
  = paid received=23.99 net=23.99 webhooks=paid
an eCheck that bounces on day 4 | 23.99 usd
  2m | PAYMENT.CAPTURE.PENDING, ECHECK | pending | detail=ECHECK
  4d | PAYMENT.CAPTURE.DECLINED | failed
  = cancelled webhooks=cancelled

Multibanco with the Orders API | https://developer.paypal.com/platforms/checkout/apm/multibanco/orders-api
a voucher of Multibanco that is not paid in seven days | 50.00 eur
  2m | PAYMENT.CAPTURE.PENDING | pending
  7d | PAYMENT.CAPTURE.DENIED | expired
  = expired webhooks=expired

Subscribe to disputes webhooks | https://developer.paypal.com/docs/disputes/webhooks/
PayPal takes a capture back, and the seller wins the dispute | 100.00 usd
  2m | PAYMENT.CAPTURE.COMPLETED | paid 100.00 #CAPTURE001
  15d | PAYMENT.CAPTURE.REVERSED | charged_back 100.00 #PP-D-4012
  40d | CUSTOMER.DISPUTE.RESOLVED, RESOLVED_SELLER_FAVOUR | chargeback_won 100.00 #PP-D-4012
  = paid received=100.00 chargedBack=100.00 chargebackWon=100.00 net=100.00 webhooks=paid
  ! charged_back | charged_back #PP-D-4012 | 100.00
`)
