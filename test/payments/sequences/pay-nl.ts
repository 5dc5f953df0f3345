import { documented } from './sequence.ts'

/** Pay.nl: a code for each state, with the amount that is paid so far: totals without ids. */
export const payNl = documented(`
Transaction Statuses | https://developer.pay.nl/docs/transaction-statuses
paid | 50.00 eur
  1m | 20 PENDING | open
  2m | 50 PENDING | pending
  3m | 100 PAID | paid 50.00
  = paid received=50.00 net=50.00 webhooks=paid
a gift card pays a part, a bank the rest | 50.00 eur
  2m | 80 PARTIAL PAYMENT | paid 15.00
  6m | 100 PAID | paid 50.00
  = paid received=50.00 net=50.00 webhooks=paid
a gift card pays a part, and the customer leaves | 50.00 eur
  2m | 80 PARTIAL PAYMENT | paid 15.00
  2h | -80 EXPIRED | expired
  until 1d = expired received=15.00 net=15.00 webhooks=expired
  ! underpaid | received 15.00 eur | 15.00
parts on two attempts, none of them enough | 50.00 eur
  2m | 80 PARTIAL PAYMENT | paid 15.00
  5m | start again method=bank
  8m | 100 PAID, of the rest | paid 35.00 | attempt=2
  = pending received=35.00 net=35.00
  ! paid_in_parts | paid =35.00 eur | 50.00
a transfer of another amount | 50.00 eur | expiresAfter=14d
  1m | 90 PENDING | open
  3d | -51 PAID_CHECKAMOUNT | paid 45.00
  until 15d = pending received=45.00 net=45.00
  ! underpaid | received 45.00 eur | 45.00
a reservation, captured in part and then in full | 50.00 eur
  2m | 95 AUTHORIZE | authorised 50.00
  1d | 97 PARTLY CAPTURED | paid 20.00
  3d | 100 PAID | paid 50.00
  = paid received=50.00 net=50.00 webhooks=paid
suspicious, and cleared after two days | 50.00 eur
  2m | 85 VERIFY | pending | detail=VERIFY
  2d | 100 PAID | paid 50.00
  = paid received=50.00 net=50.00 webhooks=paid
sent by the bank, and not received for more than a month | 50.00 eur
  2m | 98 PENDING | pending
  until 31d = pending
  ! pending_too_long | pending | 50.00
denied, expired, and then paid after all | 50.00 eur
  2m | -80 EXPIRED | expired
  3m | -63 DENIED | failed
  1d | 100 PAID | paid 50.00
  = paid received=50.00 net=50.00 webhooks=expired,cancelled,paid
  ! late_paid | paid =50.00 eur | 50.00
`)
