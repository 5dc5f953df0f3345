import type { Commands } from './port.ts'
import { inOneFlight } from './query.ts'

type Counting = Pick<Commands, 'countWebhooks' | 'countAnomalies' | 'countUnread' | 'countWaiting'>

/** All that metrics show of a store, in one flight. */
export function countCommands(commands: Counting) {
  return {
    *countAll(now) {
      const [webhooks, anomalies, unread, waiting] = yield* inOneFlight(
        commands.countWebhooks(),
        commands.countAnomalies(),
        commands.countUnread(now),
        commands.countWaiting(now),
      )
      return { webhooks, anomalies, unread, waiting }
    },
  } satisfies Partial<Commands>
}
