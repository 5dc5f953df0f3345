import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { folderWith, purveyor } from '../command.ts'
import { failAll, folderWithOrders, now, owe } from '../waiting-orders.ts'

test('clock show says how far a clock that was set is off, and take goes by it', async () => {
  const cwd = folderWith()
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await purveyor(['clock', ...args], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  await purveyor(['db', 'migrate'], { cwd })
  expect(await run('show')).toContain('Both agree.')
  const database = new DatabaseSync(join(cwd, 'data/purveyor.db'))
  // As if the machine's clock had been set ahead since.
  database.exec('update clocks set server_at = server_at - 7200000, agreed_at = agreed_at - 7200000')
  database.close()
  expect(await run('show')).toMatch(
    /The clock is (?:2 h|1 h 59 min) ahead of the providers' time, so it was changed\. .* in 40\.0 h\.\nMeanwhile .* 3 minutes early\.\n.*purveyor clock take/,
  )
  expect(JSON.parse(await run('show', '--json')).offSeconds).toBeGreaterThan(7_000)
  const taken = JSON.parse(await run('take', '--json'))
  expect(taken.movedSeconds).toBeGreaterThan(7_000)
  expect(await run('show')).toContain('Both agree.')
  // A second one does no harm.
  expect(await run('take')).toContain('0 s later than before')
})

test('clock without a store says where it looked', async () => {
  const { code, stderr } = await purveyor(['clock', 'show'], { cwd: folderWith() })
  expect(code).toBe(3)
  expect(stderr).toContain('There is no store at ./data/purveyor.db')
})

test("a time ago is counted by the providers' time, not by a machine's clock that was set back", async () => {
  const { cwd, run } = await folderWithOrders(async (store) => {
    for (const order of ['1', '2', '3', '4']) await owe(store, order, 'down.example')
    await failAll(store, 503)
    await store.openLane({ kind: 'webhook', shopId: 'red', to: 'down.example' }, now)
    const claim = { limit: 1, perLane: 1, owner: 'a', now, leaseUntil: now + 60_000 }
    const works = { at: now, ms: 1, version: 1, status: 200, failure: undefined, answer: '' }
    for (const one of await store.claimWebhooks(claim)) await store.settleWebhook(one, works)
  })
  // All of that is two hours old by the providers' time.
  const database = new DatabaseSync(join(cwd, 'data/purveyor.db'))
  database.exec('update clocks set server_at = server_at + 7200000, agreed_at = agreed_at + 7200000')
  database.close()
  const listing = async (...args: string[]) => {
    const { code, out, err } = await run(...args)
    expect(code, err).toBe(0)
    return out
  }
  const commands: [args: string[], old: RegExp, option?: string][] = [
    [['webhooks', 'list'], /down\.example/],
    [['webhooks', 'replay', '--dry-run'], /order 1$/m],
    [['payments', 'export'], /^red,1,/m],
    [['lanes', 'list'], /status 503: purveyor lanes show/],
    [['shop', 'log', 'red'], /added the shop/],
  ]
  for (const [args, old] of commands) {
    expect(await listing(...args, '--since', '3h'), args.join(' ')).toMatch(old)
    expect(await listing(...args, '--since', '1h'), args.join(' ')).not.toMatch(old)
  }
  const close = ['payments', 'close-anomalies', '--kind', 'double_paid', '--dry-run', '--json']
  const { before } = JSON.parse(await listing(...close, '--before', '1h'))
  expect(before - now).toBeGreaterThan(3_500_000)
  const taken = JSON.parse(await listing(...close, '--before', '2026-03-02T10:00Z'))
  expect(taken.before).toBe(Date.parse('2026-03-02T10:00Z'))
})
