import { serviceOutages } from '../../payments/service-failures.ts'
import { counted } from '../../printable.ts'
import { hashToken } from '../../shops/seal.ts'
import type { PushRecord } from '../../store-port.ts'
import { group, limit, oneOf, onlyShop, onStore } from '../table.ts'
import { type Cells, print, printTable, time } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'

/** So much of a key stands in a list: enough to name one push. */
export const shortKey = (key: string): string => key.slice(0, 12)

const ofAdapter = { '--adapter <name>': 'only those of this payment adapter', ...onlyShop, ...limit }

export const list = onStore({
  description: 'list the pushes of the last 30 days, newest first',
  examples: ['purveyor pushes list --outcome failed'],
  options: {
    '--outcome <outcome>': oneOf(
      'unmatched: the push names an unknown payment; failed: the push is tried again',
      ['unmatched', 'failed', 'given_up', 'waiting', 'processed', 'ignored'],
    ),
    ...ofAdapter,
  },
  async run({ outcome, adapter, shop, limit, json }, store, now) {
    const found = await store.pushes({ outcome, adapter, shopId: shop, limit })
    const since = now - 24 * 3_600_000
    const outages = await serviceOutages(store, { kind: 'push', shopId: shop, adapter, since, now })
    const refused = outages.reduce((sum, { calls }) => sum + calls, 0)
    const none = outcome === undefined ? 'No pushes came in the last 30 days.' : `No pushes are ${outcome}.`
    const listed = found.map((push) => shown(push, now))
    const cells: Cells<(typeof listed)[number]> = {
      push: ({ push }) => shortKey(push),
      ...{ received: 'receivedAt', shop: 'shop', adapter: 'adapter', outcome: 'outcome' },
      names: ({ names }) => names.join(', '),
      ...{ 'next try': 'dueAt', detail: 'detail' },
    }
    const more = `${counted(refused, 'call')} within a day could not be verified: purveyor pushes refused`
    printTable(json, listed, none, cells, outcome === undefined && refused > 0 ? ['', more] : [])
  },
})

const refused = onStore({
  description: 'count the pushes that could not be verified, by shop and adapter, newest first',
  examples: ['purveyor pushes refused'],
  options: ofAdapter,
  async run({ adapter, shop, limit, json }, store, now) {
    const outages = await serviceOutages(store, { kind: 'push', shopId: shop, adapter, since: 0, now })
    const rows = outages
      .flatMap(({ shops }) => shops)
      .toSorted((one, other) => other.lastAt - one.lastAt)
      .slice(0, limit)
      .map(({ kind: _, shopId: shop, okAt: acceptedAt, failure: reason, ...one }) => {
        return { shop, ...one, acceptedAt, reason }
      })
    const cells: Cells<(typeof rows)[number]> = {
      ...{ shop: 'shop', adapter: 'adapter', refused: 'calls', first: 'firstAt', last: 'lastAt' },
      ...{ 'accepted since': 'acceptedAt', reason: 'reason' },
    }
    const remedy = rows.length > 0 ? ['', 'Remedy: purveyor explain PUSH_NOT_VERIFIED'] : []
    printTable(json, rows, 'No push was refused within 30 days.', cells, remedy)
  },
})

const shown = ({ shopId: shop, key: push, dueAt, ...record }: PushRecord, now: number) => {
  return { push, shop, ...record, dueAt: dueAt === undefined ? undefined : Math.max(dueAt, now) }
}

const show = onStore({
  description: 'show one push',
  examples: ['purveyor pushes show 3f2a1c9b'],
  arguments: { '<push>': 'an id from `pushes list`, or the `push` of a log line' },
  options: onlyShop,
  async run({ push, shop, json }, store, now) {
    if (push.length < 8 || push.length > hashToken('').length)
      throw new UsageError('A push is named by 8 characters of its id or more. See: purveyor pushes list')
    const [one, other] = await store.pushes({ key: push, shopId: shop, limit: 2 })
    if (!one) throw new UsageError(`There is no push ${push}. It is forgotten after 30 days.`)
    if (other)
      throw new UsageError(
        one.key === other.key
          ? `Push ${push} came to several shops or adapters. Choose one with --shop: ${one.shopId}, ${other.shopId}`
          : `Several pushes begin with ${push}. Name more of it.`,
      )
    const found = shown(one, now)
    const next = {
      failed: `Why it fails: purveyor lanes show push ${one.shopId} ${one.adapter}, and the log`,
      unmatched: 'Remedy: purveyor explain PUSH_UNMATCHED',
      given_up: 'Remedy: purveyor explain PUSH_GIVEN_UP',
    }[one.outcome as string]
    print(json, found, () => [
      `Push ${shortKey(one.key)} of shop ${one.shopId} through ${one.adapter}: ${one.outcome}`,
      `  received  ${time(one.receivedAt)}${one.times > 1 ? `, ${one.times} times` : ''}`,
      one.processedAt !== undefined && `  ended     ${time(one.processedAt)}`,
      one.tries > 0 && `  failed    ${counted(one.tries, 'try', 'tries')}`,
      found.dueAt !== undefined && `  next try  ${time(found.dueAt)}`,
      one.detail !== undefined && `  detail    ${one.detail}`,
      ...one.names.map((name) => `  names     ${name}`),
      next && '',
      next,
    ])
  },
})

const commands = { list, refused, show }
export const command = group('inspect the pushes of payment services and what became of them', commands)
