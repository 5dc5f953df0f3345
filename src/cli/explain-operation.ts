import type { Told } from './explain-pages.ts'

// Pages for the one on call.

/** What `serve` logs of its processes. */
export const processLines = {
  WORKER_DIED: [
    'A worker of `serve --workers` ended by itself or was killed. Another one takes its place, and takes over what it owed within 30 s.',
    'Look at its last lines: `PROCESS_CRASHED` says where its code failed. Signal SIGKILL without a line is usually the memory limit: give it more, or fewer workers.',
  ],
  WORKER_NOT_READY: [
    'A worker was not ready within a minute of its start, so it was ended.',
    'Look whether the database answers (`purveyor doctor`) and whether the `prepare` of an adapter waits for somebody.',
  ],
  WORKER_RESTART_FAILED: [
    'SIGHUP found that a new worker cannot start. The old workers go on, with the old code.',
    'Read the lines of the new worker above this one, correct what they name, and send SIGHUP again.',
  ],
  PROCESS_CRASHED: [
    'An error that no code catches ended the process, most often one in an adapter.',
    'Find the place in `err.stack`, and catch the error there. Whatever the process owed is taken over within 30 s.',
  ],
} satisfies Record<string, Told>

/** What a provider logs of rates that go on without a carrier, or without the store. */
export const ratesLines = {
  CARRIER_DOWN: [
    'A rate adapter failed five times in a row, for three shops or more. It is left alone for all shops, and one call every ten seconds tries whether it works again. The other adapters answer meanwhile.',
    'Ask the carrier, and look at `lastFailure` in `provider.rates.openBreakers()`. It goes on by itself once a call succeeds; `provider.rates.releaseBreakers(adapter)` asks it at once. If only some shops fail, look at their keys.',
  ],
  RATES_WITHOUT_STORE: [
    'The database does not answer. Rates go on for shops that this process looked up within the last hour; payments are answered 503.',
    'Bring the database back: `purveyor doctor` names what is wrong with it. After an hour, and after a restart, there are no rates without it.',
  ],
} satisfies Record<string, Told>

/** The alerts of `monitoring/prometheus-rules.yml`. */
export const alerts = {
  PurveyorStoreDown: [
    'The database does not answer, or takes no writes. Payments are answered 503; rates go on for an hour.',
    'Ask `/health/ready`: `takes no writes` is a full disk or a read-only server, `unreachable` is the server, its address or its limit of connections. `purveyor doctor` says more. Nothing is lost meanwhile: nodes go on by themselves.',
  ],
  PurveyorPaymentStartsFail: [
    'Customers cannot pay: more than 5 % of the calls of POST /payment end with 5xx.',
    'Count the `code` of the access lines of this route, and run `purveyor explain <code>`. For 502 and 504 look at the adapter in `purveyor_adapter_duration_seconds{call="start"}`, and at the status page of its payment service.',
  ],
  PurveyorPushesLate: [
    'Pushes of payment services are due, their lanes are open, and nobody processes them: this provider is too slow or stands still.',
    'Run `purveyor lanes list --kind push`. Look at CPU, at `nodejs_eventloop_lag_max_seconds` and at the duration of the adapter. Payments stay pending until then, and none is lost.',
  ],
  PurveyorWebhooksLate: [
    'Webhooks to shops that do answer are called too late: this provider is too slow or stands still.',
    'Run `purveyor lanes list --kind webhook`. Look at CPU, at `nodejs_eventloop_lag_max_seconds` and at the log for `NAME_SERVER_FAILED`. A closed lane is not counted here.',
  ],
  PurveyorChecksLate: [
    'Open payments are due for a look at their payment service, and are not looked at.',
    'Look at `purveyor_adapter_duration_seconds{call="status"}`: a service that hangs delays its own. `purveyor payments find <order>` shows what one payment waits for.',
  ],
  PurveyorPushLanesClosed: [
    'A payment service fails while pushes of a shop are processed, so single ones probe it.',
    'Run `purveyor lanes list --kind push` for the shop, the adapter and its last failure. Look at the keys of the shop and at the service. Once it works, `purveyor lanes open push <shop> <adapter>` tries all of them at once.',
  ],
  PurveyorWebhookLanesClosed: [
    'A shop or its platform takes no webhooks, so single ones probe it. No other shop is delayed.',
    'Run `purveyor lanes list --kind webhook` for the host and its last failure, and ask the shop. Once it works, `purveyor lanes open webhook <shop> <host>` calls all of them at once.',
  ],
  PurveyorDeadLetters: [
    'Webhooks were tried for 14 days and given up. The shop may not know that these orders are paid.',
    'Run `purveyor webhooks list`, ask the shop, and send them again: `purveyor webhooks replay --dry-run`, then without.',
  ],
  PurveyorWebhooksUnread: [
    'A shop answers webhooks with 2xx and does not read the status after them. They are delivered again on a slow schedule.',
    'Run `purveyor webhooks list --since 1d` for the orders that were called and not read, and ask the shop whether its platform handles the webhook.',
  ],
  PurveyorAnomaliesOpen: [
    'Payments contradict themselves and wait for a person. Money may be at stake.',
    'Run `purveyor payments anomalies`: what has one cause stands in one line. `purveyor explain <kind>` says what to look at; close one with `close-anomaly`, all of one cause with `close-anomalies`.',
  ],
  PurveyorCarrierDown: [
    'A rate adapter fails for several shops, so all of them get the other methods or the fallback rates. One call tries it every ten seconds.',
    'Look for the adapter in the log, and at the status page of the carrier. It is asked again by itself; `provider.rates.releaseBreakers(adapter)` does it at once.',
  ],
  PurveyorUnavailable: [
    'Calls are answered 503. The label `cause` is the code of the problem.',
    'Run `purveyor explain <cause>`. Then read the access lines with this `code`: they name the shop and the order.',
  ],
  PurveyorWorkersDie: [
    'Workers of `serve --workers` died more than twice within 15 minutes. Others take their place.',
    'Look in the log for `WORKER_DIED` and for `PROCESS_CRASHED` before it. Signal SIGKILL without a crash is usually the memory limit.',
  ],
  PurveyorWorkersSilent: [
    'A worker did not give its numbers for five minutes: it stands still, or its code loops.',
    'Find it by its CPU, and look in the log for the adapter that blocked the event loop. End that one process: another takes its place.',
  ],
  PurveyorHeldUp: [
    'Code holds up a process for half a second at a time, so that every call in it waits.',
    'Look in the log for `adapter blocked the event loop`, and at CPU. Move what computes for long out of the adapter.',
  ],
  PurveyorClockOff: [
    'The clock of a machine differs from the one that leases and expiry go by. Nothing expires because of it.',
    'Set the clock with NTP. `purveyor explain CLOCK_JUMPED` says what happens on SQLite and on PostgreSQL.',
  ],
  PurveyorNamesFail: [
    'A name server fails or is silent. Hosts that were looked up before go on with the answer of then.',
    'Ask it by hand for a host of the log line `NAME_SERVER_FAILED`, and name others in PURVEYOR_NAME_SERVERS.',
  ],
} satisfies Record<string, Told>
