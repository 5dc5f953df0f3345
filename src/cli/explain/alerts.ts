import type { CodeText } from '../../errors/codes.ts'

/** The runbook: what each alert of `docs/monitoring/prometheus-rules.yml` means, and what the one on call does. The first sentence is the first step. */
export const alerts: Readonly<Record<string, CodeText>> = {
  PurveyorDown: {
    why: 'Prometheus gets no metrics of any process: all of them are down or cannot be reached, or the scrape job has a wrong address or token. Shops get no rates, and customers cannot pay.',
    remedy:
      'Ask `/health/ready` of each node. If nothing answers, look in the service manager or the containers why they ended and do not start. The last lines of the log name the cause; `purveyor doctor` looks at the store, the settings and the disk. If the nodes do answer, call `/metrics` with the token of the scrape job: 404 means that the token is not `PURVEYOR_METRICS_TOKEN`.',
  },
  PurveyorNodeDown: {
    why: 'A node that Prometheus scraped within the last day does not answer for two minutes. Other nodes may serve its shops. If there is no other node, shops get no answers.',
    remedy:
      'Ask `/health/live` at the address of `instance`. Run `purveyor nodes list`: a node that is listed as running and does not answer hangs, or the network between it and Prometheus is cut. If you took the node away, remove its target.',
  },
  PurveyorNodeSilent: {
    why: 'A process on this store, perhaps on another machine, has not been seen for more than two minutes: it hangs, cannot write to the store, or was killed and not replaced. Others continue. After 15 minutes it is no longer listed and the alert ends.',
    remedy:
      'Run `purveyor nodes list`: it names the machine, the process id and when it was seen last. Look at that machine. End a process that hangs with `kill -9 <pid>`: others take over its work. If it was taken away on purpose, there is nothing to do; a stop by SIGTERM does not fire this.',
  },
  PurveyorVersionsDiffer: {
    why: 'Processes of more than one version or build have run side by side for 15 minutes: a roll-out has stopped half-way. `build` is PURVEYOR_BUILD.',
    remedy:
      'Run `purveyor nodes list`: it shows the version and build of each node. Finish the roll-out, or take it back. Both versions serve shops meanwhile, but what you see or correct may be true for only one of them.',
  },
  PurveyorSecretWaits: {
    why: 'A change of the secret has made no progress for 30 minutes: texts are still sealed with the previous secret. Nothing fails yet, but the previous secret must stay set.',
    remedy:
      'Run `purveyor doctor`: it says how many texts are left and for how many nodes the change waits. Start those nodes with both secrets, as `docs/secrets.md` shows; `purveyor nodes list` has them. If it waits for no node, look in the log for `a sealed text does not open`. Do not remove PURVEYOR_PREVIOUS_SECRET before `SECRET_CHANGED` is in the log.',
  },
  PurveyorStoreDown: {
    why: 'The database does not answer, or takes no writes. Payments are answered 503; rates go on for an hour.',
    remedy:
      'Ask `/health/ready`: `takes no writes` is a full disk or a read-only server, `unreachable` is the server, its address or its limit of connections. `purveyor doctor` says more. Nothing is lost meanwhile: nodes go on by themselves. Do not restart or deploy before writes work: a node that starts needs the store.',
  },
  PurveyorDiskNearlyFull: {
    why: 'Less than 1 GiB is free on the disk of the SQLite file. On a full disk payments are answered 503. The limit is an amount, not a percentage. Lower it if your disk is small.',
    remedy:
      'Free space, or enlarge the disk. Look for logs and old copies beside the file first; never delete the files ending in `-wal` and `-shm`. `purveyor db prune --dry-run` counts the payments that may be removed. A running provider goes on by itself once there is room.',
  },
  PurveyorPaymentStartsFail: {
    why: 'Customers cannot pay: more than 5 % of the calls of POST /payment end with 5xx, and at least three in 15 minutes.',
    remedy:
      'Run `purveyor lanes list --kind starts`: for 502 and 504 it names the adapter, since when, for how many shops and why. Look at the status page of its payment service. For other answers, count the values of `code` in the access lines of this route, and run `purveyor explain <code>`.',
  },
  PurveyorPushesLate: {
    why: 'Pushes of payment services are due and their lanes are open, but they are not processed: this provider is too slow or hangs.',
    remedy:
      'Run `purveyor lanes list --kind push`. Look at CPU, at `nodejs_eventloop_lag_max_seconds` and at the duration of the adapter. Payments stay pending until then. No push is lost.',
  },
  PurveyorWebhooksLate: {
    why: 'Webhooks to shops that do answer are sent too late: this provider is too slow or hangs.',
    remedy:
      'Run `purveyor lanes list --kind webhook`. Look at CPU, at `nodejs_eventloop_lag_max_seconds` and at the log for `NAME_SERVER_FAILED`. A closed lane is not counted here.',
  },
  PurveyorChecksLate: {
    why: 'Open payments are due for a status check at their payment service, and are not checked.',
    remedy:
      'Look at `purveyor_adapter_duration_seconds{call="status"}`: a service that hangs delays its own checks. `purveyor payments find <order>` shows what one payment waits for.',
  },
  PurveyorPushLanesClosed: {
    why: 'A payment service fails while pushes of a shop are processed, so only single pushes probe it, 5 to 30 s apart.',
    remedy:
      'Run `purveyor lanes list --kind push`: it names the shop, the adapter and its last failure. Look at the keys of the shop and at the service. Once it works, `purveyor lanes open push <shop> <adapter>` tries all of them at once.',
  },
  PurveyorPushesUnmatched: {
    why: 'Payment services send pushes about unknown payments. An order may still wait although its money has come.',
    remedy:
      'Run `purveyor pushes list --outcome unmatched`: it shows the shop, the adapter and what each push names. `purveyor explain PUSH_UNMATCHED` says what to compare. If the account of the payment service is shared with another system, give each its own address for pushes, or return `{ ignored: why }` from `read`.',
  },
  PurveyorPushesRefused: {
    why: 'More than half of the pushes to a payment adapter, and at least five, were answered 401 in the last two minutes (15 minutes if few pushes come): its `push.verify` rejects them. Their payments stay pending until a check asks the service.',
    remedy:
      'Run `purveyor pushes refused`: it shows shops, number, first, last and reason. `purveyor explain PUSH_NOT_VERIFIED` says what to compare: most often a signing secret was changed on one side. After the repair let the payment service send them again.',
  },
  PurveyorWebhookLanesClosed: {
    why: 'A shop or its platform rejects webhooks, so only single webhooks probe it, 30 s to 5 min apart. No other shop is delayed.',
    remedy:
      'Run `purveyor lanes list --kind webhook`: it names the host and its last failure. Ask the shop. Once it works, `purveyor lanes open webhook <shop> <host>` calls all of them at once. If lanes of many shops are closed, check your own side: name servers, egress, certificates. Nothing is lost for 14 days; one success opens the lane.',
  },
  PurveyorWebhooksOwed: {
    why: 'A shop has not accepted the webhook of an order for two hours. If it refuses single orders, such as with 404, no lane closes and no other alert fires.',
    remedy:
      'Run `purveyor lanes list --kind webhook`: `on their own` counts refused orders. `purveyor lanes show` shows why, with an example. Ask the shop. Once it is repaired, `purveyor lanes open webhook <shop> <host>` tries all of them at once, and `purveyor webhooks replay <order>` one. Otherwise Purveyor tries for 14 days.',
  },
  PurveyorDeadLetters: {
    why: 'Webhooks failed for 14 days and were given up. The shop may not know that these orders are paid.',
    remedy:
      'Run `purveyor webhooks list`, ask the shop, and send them again: `purveyor webhooks replay --dry-run`, then without.',
  },
  PurveyorWebhooksUnread: {
    why: 'A shop answers webhooks with 2xx but does not read the status afterwards. They are delivered again on a slow schedule.',
    remedy:
      'Run `purveyor webhooks list --since 1d`: it lists the orders whose status was not read. Ask the shop whether its platform handles the webhook.',
  },
  PurveyorAnomaliesOpen: {
    why: 'Payments have open anomalies that need a person. Money may be at stake.',
    remedy:
      'Run `purveyor payments anomalies`: it shows one line per cause. `purveyor explain <kind>` says what to check; close one with `close-anomaly`, or all of one cause with `close-anomalies`.',
  },
  PurveyorCarrierDown: {
    why: 'A rate adapter fails for several shops, so all of them get the other methods or the fallback rates. One call tries it every ten seconds.',
    remedy:
      'Run `purveyor lanes list --kind rates`: it names the adapter and its last failure. Look at the status page of the carrier. It is asked again by itself; `purveyor lanes open rates @all <adapter>` asks it at once.',
  },
  PurveyorRateFileFaulty: {
    why: 'A changed file of a rate adapter, such as a tariff, has a fault. Its earlier content stays in use; a shop whose file was never valid has no rates from this adapter.',
    remedy:
      'Run `purveyor doctor`: it shows the file with line and column. The log has the same at level warn. Correct the file; it is in use within five seconds.',
  },
  PurveyorRatesSlow: {
    why: 'More than a fifth of the calls of a rate adapter fail or take over 1 s, among at least 20 calls in ten minutes. Customers wait at checkout or see fewer methods.',
    remedy:
      'Run `purveyor lanes list --kind rates`: it shows since when, why, and the outages of the last day; with `--since 30d` those of 30 days. `purveyor doctor --shop <shop>` times each adapter now. Look at the status page of the carrier. A lower `rates.deadline`, or `cache` of the adapter, shortens the wait of customers.',
  },
  PurveyorUnavailable: {
    why: 'At least five calls in five minutes are answered 503. The label `cause` is the code of the problem.',
    remedy:
      'Run `purveyor explain <cause>`. Then read the access lines with this `code`: they name the shop and the order.',
  },
  PurveyorWorkersDie: {
    why: 'Workers of `serve --workers` died more than twice within 15 minutes. Others replace them.',
    remedy:
      'Look in the log for `WORKER_DIED` and for `PROCESS_CRASHED` before it. Signal SIGKILL without a crash is usually the memory limit.',
  },
  PurveyorWorkersSilent: {
    why: 'A worker has sent no metrics for five minutes: it hangs, or its code loops.',
    remedy:
      'Run `purveyor nodes list`: it names the machine and the process id. Look in the log for the adapter that blocked the event loop. End that one process with `kill -9 <pid>`, as code that loops ignores a plain `kill`. Another one replaces it.',
  },
  PurveyorHeldUp: {
    why: 'Code blocks a process for half a second at a time, so that every call in it waits.',
    remedy:
      'Look in the log for `adapter blocked the event loop`, and at CPU. Move long computations out of the adapter.',
  },
  PurveyorClockOff: {
    why: 'The clock of a machine differs from the one that leases and expiry use: the clock of the database server or, with SQLite, of the machine when the provider started.',
    remedy:
      'Run `purveyor doctor` on that machine, and set its clock with NTP. If all machines differ by the same, look at the clock of the database server first.',
  },
  PurveyorNamesFail: {
    why: 'A name server fails or is silent. For hosts looked up before, the last answer stays in use.',
    remedy:
      'Run `purveyor doctor`: it asks each name server. Name others in PURVEYOR_NAME_SERVERS. The log line `NAME_SERVER_FAILED` names the host of a call that failed; there is none while the last answers stay in use.',
  },
}
