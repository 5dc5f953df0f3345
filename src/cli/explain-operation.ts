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
