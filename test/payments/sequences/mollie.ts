import { documented } from './sequence.ts'

/** Mollie calls with an id and is asked: its answers are snapshots. The newer webhooks name captures and refunds by their ids. */
export const mollie = documented(`
Webhooks | https://docs.mollie.com/reference/webhooks.md
a payment that is paid | 10.00 eur
  1m | status open | open
  2m | status paid | paid received=10.00 refunded=0.00
  = paid received=10.00 net=10.00 webhooks=paid
both tabs are paid | 40.00 eur
  1m | status open | open
  5m | start again method=ideal
  8m | status paid | paid received=40.00 | attempt=2
  9m | status paid | paid received=40.00
  = paid received=40.00 net=40.00 webhooks=paid
  ! double_paid | paid =40.00 eur | 40.00
the page of a smaller cart is paid after the cart has grown | 10.00 eur | expiresAfter=15m
  5m | start again amount=100.00
  8m | status paid | paid received=10.00
  20m | status expired | expired | attempt=2
  until 1d = pending
  ! underpaid | received 10.00 eur | 10.00

Handling payment status | https://docs.mollie.com/docs/status-change
the customer cancels, chooses again and pays | 10.00 eur
  2m | status canceled | cancelled
  3m | start again
  5m | status paid | paid received=10.00 | attempt=2
  = paid received=10.00 net=10.00 webhooks=cancelled,paid
the customer leaves it until it expires | 10.00 eur | expiresAfter=20m
  1m | status open | open
  15m | status expired | expired
  until 2h = expired webhooks=expired
a bank transfer that takes nine days | 250.00 eur | expiresAfter=12d
  1m | status open | open
  9d | status paid | paid received=250.00
  = paid received=250.00 net=250.00 webhooks=paid
pending is no reason to expire, however long | 10.00 eur
  1m | status open | open
  5m | status pending | pending
  6d | status paid | paid received=10.00
  = paid received=10.00 net=10.00 webhooks=paid

What do I need to know about reversals of SEPA Direct Debit transactions | https://help.mollie.com/hc/en-gb/articles/115000796469
a direct debit is paid after a day, and fails on day 5 | 25.00 eur
  1m | status pending | pending
  1d | status paid | paid received=25.00
  5d | status paid, amountChargedBack 25.00 | paid received=25.00 chargedBack=25.00
  = paid received=25.00 chargedBack=25.00 net=0.00 webhooks=paid
  ! charged_back | charged_back =25.00 eur | 25.00

Place a hold for a payment | https://docs.mollie.com/docs/place-a-hold-for-a-payment
captures with ids beside answers without: each counts once | 50.00 eur
  2m | status authorized | authorised authorised=50.00
  1d | capture.succeeded | paid 35.95 #cpt_1
  1d | status authorized, amountCaptured 35.95 | authorised authorised=50.00 received=35.95
  2d | capture.succeeded | paid 14.05 #cpt_2
  2d | status paid, amountCaptured 50.00 | paid received=50.00
  = paid received=50.00 net=50.00 webhooks=paid
an authorisation that is never captured ends | 50.00 eur
  2m | status authorized | authorised authorised=50.00
  28d | status expired | expired
  = expired webhooks=expired

Webhooks for the Refunds API | https://docs.mollie.com/reference/refunds-api-webhooks
a refund that fails, beside snapshots whose total falls again | 10.00 eur
  2m | status paid | paid received=10.00 refunded=0.00
  3d | refund.refunded | refunded 5.95 #re_4qqhO89gsT
  3d | amountRefunded 5.95 | paid received=10.00 refunded=5.95
  6d | refund.failed | refund_failed 5.95 #re_4qqhO89gsT
  6d | amountRefunded 0.00 | paid received=10.00 refunded=0.00
  = paid received=10.00 net=10.00 webhooks=paid
`)
