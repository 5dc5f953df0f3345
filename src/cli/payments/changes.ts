import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from '../../errors.ts'
import { printableJson } from '../../printable.ts'
import type { PaymentChange } from '../../store.ts'
import { json, limit } from '../options.ts'
import { openedStore } from '../store.ts'
import { plain } from '../table.ts'
import { say, time } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'

const lookEvery = 1_000

/** One change per line with its cursor. With `--follow` it goes on until it is ended. */
export const changes = plain({
  description: 'print the feed of what changed about payments, in the order of commits',
  examples: ['purveyor payments changes --follow --json'],
  options: {
    '--after <cursor>': 'only what follows this cursor',
    '--follow': 'go on, and print changes as they come',
    ...limit,
    ...json,
  },
  async run({ after = '0', limit, follow, json }) {
    const { readChanges } = await import('../../use-cases/payments/read-changes.ts')
    await openedStore(async (store) => {
      for (let cursor = after; ; ) {
        const read = await readChanges(store, { after: cursor, limit }).catch(wrongCursor)
        for (const change of read) say(json ? printableJson(change) : lineOf(change))
        cursor = read.at(-1)?.cursor ?? cursor
        if (!follow) return
        if (read.length < limit) await wait(lookEvery)
      }
    })
  },
})

function wrongCursor(error: unknown): never {
  throw hasCode(error, 'ARGUMENT_INVALID') ? new UsageError('--after takes the cursor of a change.') : error
}

const lineOf = ({ cursor, at, shop, orderId, status, ...change }: PaymentChange): string => {
  const { kind, amount, currency, event } = change
  return [
    ...[cursor, time(at), `order ${orderId} of shop ${shop}: ${kind}`],
    ...(amount === undefined ? [] : [`${amount} ${currency}`]),
    ...(event === undefined ? [] : [`of ${event}`]),
    `(${status})`,
  ].join(' ')
}
