import type { Kysely } from 'kysely'

/** When a payment service was asked last how an attempt stands, and what it answered. */
export async function addAsked({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('attempts').addColumn('asked_at', 'bigint').execute()
  await schema.alterTable('attempts').addColumn('asked_answer', 'text').execute()
}
