import { documented } from './sequence.ts'

/** Klarna: an order is authorised, perhaps after a review, and captured as the goods are sent, within 28 days. */
export const klarna = documented(`
Pending orders | https://developers.klarna.com/en/gb/kco-v3/pending-orders
accepted after a review, captured when it is sent | 120.00 sek
  2m | fraud_status PENDING | pending
  1d | FRAUD_RISK_ACCEPTED | authorised 120.00
  3d | capture created | paid 120.00 #capture-1
  = paid received=120.00 net=120.00 webhooks=paid
rejected after a review | 120.00 sek
  2m | fraud_status PENDING | pending
  1d | FRAUD_RISK_REJECTED | cancelled | detail=REJECTED
  = cancelled webhooks=cancelled
accepted at once, and stopped before it was captured | 120.00 sek | authorisedIsPaid=true
  2m | fraud_status ACCEPTED | authorised 120.00
  5h | FRAUD_RISK_STOPPED | cancelled | detail=STOPPED
  = paid webhooks=paid
  ! authorisation_lost | cancelled | 120.00

What do the various order statuses mean? | https://klarna.com/au/business/merchant-support/what-do-the-various-order-statuses-mean
captured in two parts, of which one is refunded | 120.00 sek | authorisedIsPaid=true
  2m | Authorised | authorised 120.00
  2d | Captured in part | paid 80.00 #capture-1
  4d | Captured | paid 40.00 #capture-2
  20d | Refunded | refunded 40.00 #refund-1
  = paid received=120.00 refunded=40.00 net=80.00 webhooks=paid
captured in part, and the rest expires | 100.00 sek | authorisedIsPaid=true
  2m | Authorised | authorised 100.00
  2d | Captured in part | paid 60.00 #capture-1
  28d | Expired | expired
  = paid received=60.00 net=60.00 webhooks=paid
  ! authorisation_lost | expired | 40.00
never sent: the order expires after 28 days | 100.00 sek
  2m | Authorised | authorised 100.00
  28d | Expired | expired
  = expired webhooks=expired
`)
