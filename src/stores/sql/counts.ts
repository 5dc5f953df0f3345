import { sameCauseWithin } from '../../store/anomalies.ts'
import type { Counts } from '../../store/counts.ts'
import { read } from './port.ts'
import { type Command, inOneFlight } from './query.ts'

interface Counting {
  countWebhooks(): Command<Counts['webhooks']>
  countAnomalies(): Command<Counts['anomalies']>
  countCauses(among: { within: number; newest: number }): Command<Counts['causes']>
  countUnread(now: number): Command<number>
  countWaiting(now: number): Command<Counts['waiting']>
}

/** Metrics look at the causes of this many anomalies: 5,000 take about 15 ms of CPU on SQLite. */
const counted = 5_000

/** All that metrics show of a store, in one flight. */
export function countCommands(commands: Counting) {
  return {
    /** The results of `countWebhooks`, `countAnomalies`, `countCauses`, `countUnread` and `countWaiting`, read at one moment. */
    countAll: read(function* (now: number): Command<Counts> {
      const [webhooks, anomalies, causes, unread, waiting] = yield* inOneFlight(
        commands.countWebhooks(),
        commands.countAnomalies(),
        commands.countCauses({ within: sameCauseWithin, newest: counted }),
        commands.countUnread(now),
        commands.countWaiting(now),
      )
      return { webhooks, anomalies, causes, unread, waiting }
    }),
  }
}
