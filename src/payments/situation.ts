import { type Decimal, decimal } from '../money/index.ts'
import { time } from '../printable.ts'
import type { WebhookState } from '../store-port.ts'
import { webhookWait } from './find-payments.ts'
import { type AnomalyKind, anomalyKinds, type OpenedAnomaly } from './ledger/anomalies.ts'
import { sumOf } from './ledger/movements.ts'
import type { Attempt, Payment } from './ledger/payment.ts'
import { countingAttempt, isEnded } from './ledger/status.ts'

/** How a payment stands, for a person: one sentence that can be read aloud, and what follows from it. */
export interface Situation {
  /** `bad`: somebody has to act. `wait`: something is under way. `good`: all is done. `''`: it ended without money. */
  look: 'good' | 'wait' | 'bad' | ''
  sentence: string
  more: string
}

/** Money as people read it: `€129.00`. Amounts are decimal text, currencies codes of ISO 4217. */
export function moneyText(amount: Decimal, currency: string): string {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as never)
  } catch {
    return `${amount} ${currency.toUpperCase()}`
  }
}

type Sentence = (of: { stake: string; expected: string; received: string }) => string

/** The sentences of anomalies, with their money. Others begin with what their kind says. */
const sentences: Partial<Record<AnomalyKind, Sentence>> = {
  charged_back: ({ stake }) => `The bank took ${stake} back.`,
  disputed: ({ stake }) => `The customer disputes ${stake} at the bank.`,
  double_paid: ({ stake }) => `The order was paid twice: ${stake} came on top.`,
  late_paid: ({ stake }) => `The customer paid ${stake} after the attempt had ended.`,
  overpaid: ({ stake }) => `The customer paid ${stake} too much.`,
  underpaid: ({ received, expected }) => `Only ${received} of ${expected} was received.`,
  over_refunded: ({ stake }) => `${stake} more went back than was received.`,
  paid_in_parts: ({ received }) => `${received} came in parts, and no attempt received enough.`,
}

/** The kinds in which money is lost, or in the wrong place. */
const bad: readonly AnomalyKind[] = [
  ...(['charged_back', 'disputed', 'double_paid', 'late_paid', 'over_refunded', 'over_won'] as const),
  ...(['authorisation_lost', 'paid_but_returned', 'paid_other_currency', 'paid_other_mode'] as const),
]

export const isBad = (kind: AnomalyKind): boolean => bad.includes(kind)

type Described = Pick<OpenedAnomaly, 'kind' | 'stake' | 'expected' | 'received' | 'currency'>

/** One sentence about an anomaly, with its money where it has some. */
export function anomalySentence({ kind, stake, expected, received, currency }: Described): string {
  const sentence = sentences[kind]
  const [first = kind] = anomalyKinds[kind]?.why.split(/(?<=\.) /) ?? []
  if (!sentence || stake === undefined || currency === undefined) return first
  const text = (amount: Decimal | undefined) => (amount === undefined ? '' : moneyText(amount, currency))
  return sentence({ stake: text(stake), expected: text(expected), received: text(received) })
}

/** The one that a person sees first: money before none, lost money before other, the larger stake, the older one. */
export const worstFirst = (one: OpenedAnomaly, other: OpenedAnomaly): number =>
  Number(isBad(other.kind)) - Number(isBad(one.kind)) ||
  Number(other.stake ?? 0) - Number(one.stake ?? 0) ||
  one.openedAt - other.openedAt

/** The situation of a payment. `anomalies` are its open ones, `webhook` is that of its status. */
export function situationOf(
  payment: Payment,
  {
    anomalies,
    webhook,
    now,
  }: { anomalies: readonly OpenedAnomaly[]; webhook?: WebhookState | undefined; now: number },
): Situation {
  const [worst] = anomalies.toSorted(worstFirst)
  const more = [...moneyMoved(payment), ...knownBy(payment, webhook, now)].join(' ')
  if (worst) {
    const others = anomalies.length > 1 ? ` ${anomalies.length - 1} more to review.` : ''
    return {
      look: isBad(worst.kind) ? 'bad' : 'wait',
      sentence: anomalySentence(worst),
      more: `${standing[payment.status]} ${more}${others}`.trim(),
    }
  }
  if (webhook?.state === 'dead')
    return {
      look: 'bad',
      sentence: `${standing[payment.status]} The shop does not know it: its webhook was given up.`,
      more,
    }
  if (payment.status === 'pending') return { look: 'wait', sentence: pendingOn(payment), more }
  const isKnown = webhook === undefined || webhook.confirmed
  const look = isKnown ? (payment.status === 'paid' ? 'good' : '') : 'wait'
  return { look, sentence: standing[payment.status], more }
}

const standing: Record<Payment['status'], string> = {
  paid: 'The order is paid.',
  pending: 'The order is not paid yet.',
  expired: 'The payment has expired: nobody paid in time.',
  cancelled: 'The payment was cancelled.',
}

function pendingOn({ attempts }: Payment): string {
  const open = attempts.findLast((one) => !isEnded(one))
  if (!open) return 'The order is not paid: every attempt has ended.'
  if (!open.started) return `It is unknown whether ${open.adapter} started the payment.`
  return open.lastWord?.is === 'working'
    ? `The payment service (${open.adapter}) works on it.`
    : 'The customer has not finished paying.'
}

/** The money in words, where any moved back. */
function moneyMoved(payment: Payment): string[] {
  const attempt: Attempt | undefined = countingAttempt(payment)
  if (!attempt) return []
  const { received, refunded, chargedBack, chargebackWon, net, currency } = sumOf(payment.attempts, attempt)
  const parts = [
    ['received', received],
    ['refunded', refunded],
    ['taken back by the bank', chargedBack],
    ['won back', chargebackWon],
  ] as const
  const moved = parts.filter(([, amount]) => decimal(amount).gt(0))
  if (moved.length < 2) return []
  const words = moved.map(([what, amount]) => `${moneyText(amount, currency)} was ${what}`)
  return [`${words.join(', ')}; ${moneyText(net, currency)} is left.`]
}

/** Whether the shop knows the status, where one is owed. */
function knownBy(payment: Payment, webhook: WebhookState | undefined, now: number): string[] {
  if (payment.statusVersion === 0 || !webhook) return []
  const wait = webhookWait(webhook, now)
  if (wait) return [`The shop does not know it yet. It waits for ${wait.waitsFor}.`]
  if (!webhook.confirmed) return ['The shop accepted the webhook and has not read the status.']
  return payment.readAt === undefined ? [] : [`The shop read the status at ${time(payment.readAt)} UTC.`]
}
