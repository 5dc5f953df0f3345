import { roundToCurrency } from '../../../src/money/index.ts'
import { ledgerOf } from '../../../src/payments/ledger/movements.ts'
import { countingAttempt } from '../../../src/payments/ledger/status.ts'
import { play } from './play.ts'
import type { Sequence } from './sequence.ts'

/** What a sequence expects, with the amounts that it leaves out. */
export function expectedOf({ order: { currency }, expected }: Sequence) {
  const { ledger, ...rest } = expected
  const zero = roundToCurrency(0, currency)
  const none = { received: zero, refunded: zero, chargedBack: zero, chargebackWon: zero, net: zero }
  return { ...rest, ledger: { ...none, ...ledger } }
}

/** Where the pure functions lead, in the same form. */
export function outcomeOf(sequence: Sequence) {
  const { payment, anomalies, webhooks } = play(sequence)
  const { received, refunded, chargedBack, chargebackWon, net, others } = ledgerOf(countingAttempt(payment)!)
  return {
    status: payment.status,
    ledger: { received, refunded, chargedBack, chargebackWon, net },
    others: others.map((other) => `${other.received} ${other.currency} ${other.mode}`),
    anomalies: anomalies.map(({ kind, event, stake }) =>
      stake === undefined ? [kind, event] : [kind, event, stake],
    ),
    webhooks,
  }
}
