import { documented } from './sequence.ts'

/** Worldline, once Ingenico and Ogone: each operation of a payment has a number, an uncertain one gets its end later. */
export const worldline = documented(`
Webhook event types | https://docs.connect.worldline-solutions.com/documentation/webhooks/event-types/
bank transfer in two parts | 100.00 eur | expiresAfter=14d
  1m | payment.pending_payment | open
  2d | payment.paid | paid 60.00 #increment-1
  5d | payment.paid_increment | paid 40.00 #increment-2
  = paid received=100.00 net=100.00 webhooks=paid
bank transfer in two parts that are too much | 100.00 eur | expiresAfter=14d
  1m | payment.pending_payment | open
  2d | payment.paid | paid 60.00 #increment-1
  5d | payment.paid_increment | paid 50.00 #increment-2
  = paid received=110.00 net=110.00 webhooks=paid
  ! overpaid | paid #increment-2 | 10.00
chargeback | 75.00 eur
  3m | payment.captured | paid 75.00 #_1
  40d | payment.chargebacked | charged_back 75.00 #_2
  = paid received=75.00 chargedBack=75.00 net=0.00 webhooks=paid
  ! charged_back | charged_back #_2 | 75.00

Webhooks: payment id and operation id | https://support.direct.ingenico.com/en/integration/api-developer-guide/webhooks-payid
authorised, captured with a delay, refunded: one operation each | 75.00 eur
  2m | payment.pending_capture, 3136405348_0, 5 | authorised 75.00 #3136405348_0
  1d | payment.capture_requested, 3136405348_1, 91 | pending
  2d | payment.captured, 3136405348_1, 9 | paid 75.00 #3136405348_1
  9d | payment.refunded, 3136405348_2, 8 | refunded 15.00 #3136405348_2
  = paid received=75.00 refunded=15.00 net=60.00 webhooks=paid

Transaction status full list | https://support.legacy.worldline-solutions.com/en/get-started/transaction-status-full
an uncertain payment is refused after two days | 75.00 eur
  2m | 92, payment uncertain | pending | detail=92
  2d | 93, payment refused | failed | detail=93
  = cancelled webhooks=cancelled
refused, and the customer takes another card on the same page | 75.00 eur
  2m | 2, authorisation refused | open | detail=2
  4m | 91, payment processing | pending
  5m | 9, payment requested | paid 75.00
  = paid received=75.00 net=75.00 webhooks=paid
waiting for the customer: our clock ends it, and the money comes after all | 75.00 eur | expiresAfter=14d
  1m | 41, waiting for client payment | open
  17d | 9, payment received | paid 75.00
  = paid received=75.00 net=75.00 webhooks=expired,paid
  ! late_paid | paid =75.00 eur | 75.00
`)
