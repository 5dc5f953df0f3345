import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from '../../errors.ts'
import { printableJson } from '../../printable.ts'
import type { PaymentChange } from '../../store.ts'
import { readChanges } from '../../use-cases/payments/read-changes.ts'
import { openedStore } from '../store.ts'
import { say, time } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'

interface Options {
  after?: string
  limit: number
  follow?: boolean
  json?: boolean
}

const lookEvery = 1_000

/** Prints the feed of changes, one per line with its cursor. With `follow` it goes on until it is ended. */
export function changes({ after = '0', limit, follow, json }: Options): Promise<void> {
  return openedStore(async (store) => {
    for (let cursor = after; ; ) {
      const read = await readChanges(store, { after: cursor, limit }).catch(wrongCursor)
      for (const change of read) say(json ? printableJson(change) : lineOf(change))
      cursor = read.at(-1)?.cursor ?? cursor
      if (!follow) return
      if (read.length < limit) await wait(lookEvery)
    }
  })
}

function wrongCursor(error: unknown): never {
  throw hasCode(error, 'ARGUMENT_INVALID') ? new UsageError('--after takes the cursor of a change.') : error
}

const lineOf = ({
  cursor,
  at,
  shop,
  orderId,
  kind,
  amount,
  currency,
  event,
  status,
}: PaymentChange): string =>
  [
    cursor,
    time(at),
    `order ${orderId} of shop ${shop}: ${kind}`,
    ...(amount === undefined ? [] : [`${amount} ${currency}`]),
    ...(event === undefined ? [] : [`of ${event}`]),
    `(${status})`,
  ].join(' ')
