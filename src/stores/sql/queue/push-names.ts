import { sql } from 'kysely'
import { addNewRow, type Db, deleteBy, matching, prepareText } from '../columns.ts'
import { all, ask, type Command, type Place, type Step, together } from '../query.ts'
import { type LaneNames, pushLane } from './lanes.ts'

/** A push may bring hundreds of events, such as a batch of a night. A start notes references of up to 255 characters. */
const mostReferences = 1_000
const longestReference = 255

/** The references that a push waits for. One that is longer than any of a start is never noted. */
export const awaitedReferences = (references: readonly string[] = []): string[] =>
  [...new Set(references)].filter(({ length }) => length <= longestReference).slice(0, mostReferences)

interface NamedPush {
  shopId: string
  adapter: string
  pushKey: string
}

interface Named {
  shopId: string
  adapter: string
  reference: string | undefined
}

/** References that pushes name and no attempt has yet. A push is due again once a start notes one of them. */
export function pushNames(db: Db, lookSooner: (names: LaneNames) => Step[]) {
  const text = prepareText(db)
  const add = addNewRow(db, 'push_names')
  const remove = deleteBy(db, 'push_names', 'shop_id', 'name', 'adapter', 'push_key')
  const known = text<{ id: string }>(
    (value) =>
      sql`select id from attempts where ${matching(value, 'shop_id', 'adapter', 'reference')} limit 1`,
  )
  const waitingFor = (value: Place) =>
    sql`push_names where name = ${value('reference')} and ${matching(value, 'shop_id', 'adapter')}`
  const noted = text<{ push_key: string }>((value) => sql`select push_key from ${waitingFor(value)}`)
  const dueAtOnce = text<unknown>(
    (value) => sql`update pushes set due_at = received_at
      where ${matching(value, 'shop_id', 'adapter', 'push_key')} and due_at is not null`,
  )

  return {
    /** Whether an attempt has one of these references. */
    *isKnown({ shopId, adapter }: NamedPush, references: readonly string[]): Command<boolean> {
      const found = yield* together(
        ...references.map((reference) => ask(known, { shopId, adapter, reference })),
      )
      return found.some((rows) => rows.length > 0)
    },

    awaited: (push: NamedPush, references: readonly string[]): Step[] =>
      references.map((name) => ask(add, { ...push, name })),

    forgotten: (push: NamedPush, references: readonly string[]): Step[] =>
      references.map((name) => ask(remove, { ...push, name })),

    /** Where the pushes are that wait for an attempt of `adapter` with `reference`. */
    waitingFor,

    /** The keys of the same, before an attempt of the adapter stores its reference. */
    *noted(named: Named): Command<string[]> {
      return (yield* all(noted, { ...named })).map(({ push_key }) => push_key)
    },

    /** They wait no longer: an attempt has this reference. */
    makingDue({ shopId, adapter, reference: name }: Named, keys: readonly string[]): Step[] {
      const steps = keys.flatMap((pushKey) => [
        ask(remove, { shopId, name, adapter, pushKey }),
        ask(dueAtOnce, { shopId, adapter, pushKey }),
      ])
      return keys.length === 0 ? [] : [...steps, ...lookSooner(pushLane(shopId, adapter))]
    },
  }
}
