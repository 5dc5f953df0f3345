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
