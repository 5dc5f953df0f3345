import { time } from '../printable.ts'
import { anomalyWords } from './ledger/anomalies.ts'
import type { TimelineEvent } from './payment-timeline.ts'

/** An event as one line. */
export const timelineWords = (event: TimelineEvent): string =>
  (words[event.type] as (event: TimelineEvent) => string)(event)

const words: { [Type in TimelineEvent['type']]: (event: TimelineEvent & { type: Type }) => string } = {
  opened({ attempt, amount, currency, mode, adapter, method, how, reference }) {
    const next = how ?? 'the outcome of the start is unknown'
    const named = reference === undefined ? '' : `, reference ${reference}`
    return `attempt ${attempt} opened: ${amount} ${currency} (${mode}) by ${adapter} ${method}; ${next}${named}`
  },
  reported({ attempt, word, amount, currency, mode, event, conflicts, source, answerBy, detail }) {
    const said = [
      ...[word, amount, currency, mode, event && `of ${event}`],
      conflicts && 'does not count: an earlier report of this event has other money',
      ...[answerBy && `answer by ${time(answerBy)}`, `(${source})`, detail],
    ]
    return `attempt ${attempt}: ${said.filter(Boolean).join(' ')}`
  },
  money_asked({ attempt, kind, amount, currency, key, outcome, detail }) {
    const unknown = 'its outcome is unknown; the same command asks again'
    const became = outcome === 'refused' ? `refused: ${detail ?? ''}` : (outcome ?? unknown)
    return `${kind} of ${amount} ${currency} of attempt ${attempt} asked for with key ${key}: ${became}`
  },
  delivery({ version, status, failure, ms, deliveries }) {
    const outcome = failure === undefined ? `answered ${status}` : `failed: ${failure}`
    const last = deliveries === undefined ? '' : ` (last of ${deliveries} deliveries)`
    return `webhook for status version ${version}: ${outcome} in ${ms} ms${last}`
  },
  read: ({ version }) => `the shop read status version ${version}`,
  anomaly_opened({ anomaly }) {
    const about = anomalyWords(anomaly)
    return `anomaly ${anomaly.kind} opened for attempt ${anomaly.attemptId}${about && `: ${about}`}`
  },
  anomaly_closed: ({ anomaly }) => `anomaly ${anomaly.kind} closed: ${anomaly.note}`,
}
