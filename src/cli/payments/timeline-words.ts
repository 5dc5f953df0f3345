import { anomalyWords } from '../../payments/anomalies.ts'
import { time } from '../../printable.ts'
import type { TimelineEvent } from '../../use-cases/payments/payment-timeline.ts'

type Of<Type extends TimelineEvent['type']> = Extract<TimelineEvent, { type: Type }>

/** An event of a payment as a sentence. */
export function timelineWords(event: TimelineEvent): string {
  switch (event.type) {
    case 'opened':
      return openedWords(event)
    case 'reported':
      return reportedWords(event)
    case 'money_asked':
      return askedWords(event)
    case 'delivery':
      return deliveryWords(event)
    case 'read':
      return `the shop read status version ${event.version}`
    case 'anomaly_opened': {
      const { kind, attemptId } = event.anomaly
      const about = anomalyWords(event.anomaly)
      return `anomaly ${kind} opened for attempt ${attemptId}${about === '' ? '' : `: ${about}`}`
    }
    case 'anomaly_closed':
      return `anomaly ${event.anomaly.kind} closed: ${event.anomaly.note}`
  }
}

function openedWords({
  attempt,
  amount,
  currency,
  mode,
  adapter,
  method,
  how,
  reference,
}: Of<'opened'>): string {
  const next = how ?? 'the outcome of the start is unknown'
  const named = reference === undefined ? '' : `, reference ${reference}`
  return `attempt ${attempt} opened: ${amount} ${currency} (${mode}) by ${adapter} ${method}; ${next}${named}`
}

function reportedWords({ attempt, word, amount, currency, mode, event, ...more }: Of<'reported'>): string {
  const { conflicts, source, answerBy, detail } = more
  const words = [
    ...[word, amount, currency, mode, event === undefined ? undefined : `of ${event}`],
    conflicts ? 'does not count: the event has other money' : undefined,
    ...[answerBy === undefined ? undefined : `answer by ${time(answerBy)}`, `(${source})`, detail],
  ]
  return `attempt ${attempt}: ${words.filter((one) => one !== undefined).join(' ')}`
}

function askedWords({ attempt, kind, amount, currency, key, outcome, detail }: Of<'money_asked'>): string {
  const unknown = 'its outcome is unknown, and the same command asks again'
  const became = outcome === 'refused' ? `refused: ${detail ?? ''}` : (outcome ?? unknown)
  return `${kind} of ${amount} ${currency} of attempt ${attempt} asked for with key ${key}: ${became}`
}

function deliveryWords({ version, status, failure, ms, deliveries }: Of<'delivery'>): string {
  const outcome = failure === undefined ? `answered ${status}` : `failed: ${failure}`
  const last = deliveries === undefined ? '' : ` (last of ${deliveries} deliveries)`
  return `webhook for status version ${version}: ${outcome} in ${ms} ms${last}`
}
