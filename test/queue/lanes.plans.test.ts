import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { Db } from '../../src/store/columns.ts'
import type { Command } from '../../src/store/query.ts'
import { sqlCommands } from '../../src/store-commands.ts'
import { folderWith } from '../folder.ts'
import { makeTables } from '../stores/sqlite-tables.ts'

const commands = sqlCommands(new Db('sqlite'))

async function tables(): Promise<DatabaseSync> {
  const file = join(folderWith(), 'plans.db')
  await makeTables(file)
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  return database
}

/** Runs a command and says how each of its queries looks its rows up. */
function plansOf(database: DatabaseSync, command: Command<unknown>): string[] {
  const plans: string[] = []
  let rows: unknown[][] = []
  for (let next = command.next(rows); !next.done; next = command.next(rows)) {
    rows =
      'steps' in next.value
        ? next.value.steps.map(({ sql, values }) => {
            const plan = database.prepare(`explain query plan ${sql}`).all(...values)
            plans.push(...plan.map(({ detail }) => String(detail)))
            return database.prepare(sql).all(...values)
          })
        : []
  }
  return plans
}

const claim = { now: 10, leaseUntil: 20, limit: 256, perLane: 32, owner: 'a' }

test.each([null, 5])(
  'a claim looks only at what it may take, whatever waits beside it; probed at %s',
  async (probeAt) => {
    const database = await tables()
    database.exec(`insert into lanes (lane, adapter, shop_id, receiver, next_due, probe_at)
      values ('one shop.example', '', 'one', 'shop.example', 1, ${probeAt}), ('one push psp', 'psp', 'one', 'psp', 1, ${probeAt});
    insert into webhooks (shop_id, order_id, lane, webhook_url, version, delivered_version, due_at, owed_since)
      values ('one', '1', 'one shop.example', 'https://shop.example', 1, 0, 1, 1);
    insert into pushes (shop_id, adapter, push_key, lane, received_at, times, due_at)
      values ('one', 'psp', 'k', 'one push psp', 1, 1, 1)`)
    const plans = [
      ...plansOf(database, commands.claimWebhooks(claim)),
      ...plansOf(database, commands.claimPushes({ ...claim, adapter: 'psp' })),
    ]
    for (const index of ['webhooks_due', 'pushes_due']) {
      const used = plans.filter((plan) => plan.includes(`${index} (lane=? AND <expr>=? AND due_at`))
      expect(used.length).toBeGreaterThan(3)
    }
    expect(plans.filter((plan) => /^SCAN (?:webhooks|pushes|lanes)/.test(plan))).toEqual([])
  },
)
