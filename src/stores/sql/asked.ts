import type { Kysely } from 'kysely'
import { ofOrder } from './columns.ts'
import type { Commands } from './port.ts'
import { all, beside, prepare } from './query.ts'
import { setColumns } from './simple.ts'
import type { Tables } from './tables.ts'

/** When a payment service was asked last how an attempt stands, and what it answered. */
export async function addAsked({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('attempts').addColumn('asked_at', 'bigint').execute()
  await schema.alterTable('attempts').addColumn('asked_answer', 'text').execute()
}

/** What payment services answer about attempts. */
export function askedCommands(db: Kysely<Tables>) {
  const save = setColumns(db, 'attempts', ['asked_at', 'asked_answer'], ['shop_id', 'id'])
  const next = prepare((value) =>
    db
      .selectFrom('attempts')
      .select(['id', 'check_at'])
      .where(ofOrder(value))
      .where('check_at', 'is not', null),
  )
  return {
    *nextChecks(shopId, orderId) {
      const rows = yield* all(next, { shopId, orderId })
      return Object.fromEntries(rows.map(({ id, check_at }) => [id, check_at!]))
    },

    *noteAsked(shopId, id, { at: askedAt, answer: askedAnswer }) {
      yield* beside(save, { shopId, id, askedAt, askedAnswer })
    },
  } satisfies Partial<Commands>
}
