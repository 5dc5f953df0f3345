import type { Kysely } from 'kysely'
import type { ServiceAnswer } from '../../payments/payment.ts'
import { all, type Command, holding, prepare } from './query.ts'
import type { Tables } from './tables.ts'

/** When a payment service was asked last how an attempt stands, and what it answered. */
export async function addAsked({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('attempts').addColumn('asked_at', 'bigint').execute()
  await schema.alterTable('attempts').addColumn('asked_answer', 'text').execute()
}

/** What payment services answer about attempts. */
export function askedCommands(db: Kysely<Tables>) {
  const save = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ asked_at: value('at'), asked_answer: value('answer') })
      .where('shop_id', '=', value('shopId'))
      .where('id', '=', value('attemptId')),
  )
  const next = prepare((value) =>
    db
      .selectFrom('attempts')
      .select(['id', 'check_at'])
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('check_at', 'is not', null),
  )
  return {
    *nextChecks(shopId: string, orderId: string): Command<Record<string, number>> {
      const rows = yield* all(next, { shopId, orderId })
      return Object.fromEntries(rows.map(({ id, check_at }) => [id, check_at!]))
    },

    *noteAsked(shopId: string, attemptId: string, { at, answer }: ServiceAnswer): Command<void> {
      yield* holding()
      yield* all(save, { shopId, attemptId, at, answer })
    },
  }
}
