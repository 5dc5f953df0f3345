import { sameCauseWithin } from '../../store.ts'
import type { Commands } from './port.ts'
import { inOneFlight } from './query.ts'

type Counting = Pick<
  Commands,
  'countWebhooks' | 'countAnomalies' | 'countCauses' | 'countUnread' | 'countWaiting'
>

/** Metrics look at the causes of this many anomalies: 5,000 take about 15 ms of CPU on SQLite. */
const counted = 5_000

/** All that metrics show of a store, in one flight. */
export function countCommands(commands: Counting) {
  return {
    *countAll(now) {
      const [webhooks, anomalies, causes, unread, waiting] = yield* inOneFlight(
        commands.countWebhooks(),
        commands.countAnomalies(),
        commands.countCauses({ within: sameCauseWithin, newest: counted }),
        commands.countUnread(now),
        commands.countWaiting(now),
      )
      return { webhooks, anomalies, causes, unread, waiting }
    },
  } satisfies Partial<Commands>
}
