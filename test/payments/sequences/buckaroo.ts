import { documented } from './sequence.ts'

/** Buckaroo: a push for each change of status, at times several for one; each transfer, refund and reversal has a transaction key. */
export const buckaroo = documented(`
Push messages | https://docs.buckaroo.io/docs/integration-push-messages
the push of a success comes three times | 32.50 eur
  1m | 790, pending input | open
  2m | 190, success | paid 32.50 #4E8BD922
  2m | 190, success, again | paid 32.50 #4E8BD922
  3h | 190, success, again | paid 32.50 #4E8BD922
  = paid received=32.50 net=32.50 webhooks=paid
the same order is transferred twice | 32.50 eur | expiresAfter=14d
  3d | 190, success, of a transfer | paid 32.50 #A1
  4d | 190, success, of a transfer | paid 32.50 #A2
  = paid received=65.00 net=65.00 webhooks=paid
  ! overpaid | paid #A2 | 32.50
the push of pending is delivered after that of success | 32.50 eur
  2m | 190, success | paid 32.50 #A1
  2h | 791, pending processing, delivered late | pending
  3h | 690, rejected, of an earlier try | open
  until 2d = paid received=32.50 net=32.50 webhooks=paid
one transaction key with two amounts: the first stands | 32.50 eur | expiresAfter=14d
  3d | 190, success | paid 32.50 #A1
  4d | 190, success, with another amount | paid 25.00 #A1
  = paid received=32.50 net=32.50 webhooks=paid
  ! event_changed | paid 25.00 eur #A1 | 25.00

Status | https://docs.buckaroo.io/docs/integration-status
two transfers for one order | 32.50 eur | expiresAfter=14d
  1m | 792, awaiting consumer | open
  3d | 190, success, of a transfer | paid 30.00 #A1
  6d | 190, success, of a transfer | paid 2.50 #A2
  = paid received=32.50 net=32.50 webhooks=paid
a direct debit that is reversed | 32.50 eur
  1m | 791, pending processing | pending
  6d | 190, success | paid 32.50 #A1
  25d | reversal | charged_back 32.50 #A2
  = paid received=32.50 chargedBack=32.50 net=0.00 webhooks=paid
  ! charged_back | charged_back #A2 | 32.50
failed, and paid in another go at the same request | 32.50 eur
  2m | 490, failed | failed | detail=490
  6m | 190, success | paid 32.50 #A1
  = paid received=32.50 net=32.50 webhooks=cancelled,paid
  ! late_paid | paid #A1 | 32.50
cancelled by the customer | 32.50 eur
  1m | 790, pending input | open
  2m | 890, cancelled by user | cancelled
  = cancelled webhooks=cancelled
`)
