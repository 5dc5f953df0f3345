import { expect, test } from 'vitest'
import { changedSince } from '../../../src/cli/payments/books.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { open, paid } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore, printing } from '../command.ts'

const hour = 3_600_000

/** The JSON of each line. */
const rowsOf = (text: string) => text.split('\n').map((line) => JSON.parse(line))

/** A store with so many payments, two hours and one hour old, and one that was paid. */
async function withPayments(count: number) {
  const cwd = folderWith()
  await inStore(cwd, async (store) => {
    const now = Date.now()
    await store.openAttempt(open({ orderId: 'old', now: now - 48 * hour }))
    const formulas = ['=1+1,"x"', 'N;=1+1; @x', ' +1', '\uff1d1+1']
    // Many in one moment: a page ends within it.
    for (let order = 1; order <= count; order++) {
      const orderNumber = formulas[order - 1] ?? `N${order}`
      await store.openAttempt(open({ orderId: `${order}`, orderNumber, now: now - hour }))
    }
    const { attempt } = await store.openAttempt(open({ orderId: 'paid', now: now - hour }))
    await store.learn('default', 'paid', attempt.id, [paid], { source: 'report', now })
  })
  return commandsIn(cwd)
}

test('payments are exported once each, newest first, as far back as is asked', async () => {
  const run = await withPayments(620)
  const csv = await run.out('payments export --since 1d')
  const [header, ...lines] = csv.split('\n')
  expect(header).toBe(
    'shop,order,order_number,status,amount,currency,mode,adapter,method,reference,opened_at,paid_at,changed_at,attempts',
  )
  expect(lines[0]).toMatch(/^default,paid,ORD1001,paid,29\.34,eur,live,psp,card,,2\S+Z,2\S+Z,2\S+Z,1$/)
  const orders = lines.map((line) => line.split(',')[1])
  expect(new Set(orders).size).toBe(orders.length)
  expect(orders).not.toContain('old')
  expect(orders.length).toBe(621)
  // No cell is a formula, also where a semicolon separates cells, and quotes stay quotes.
  for (const cell of [`"'=1+1,""x"""`, `,N;'=1+1;' @x,`, `,' +1,`, `,'\uff1d1+1,`])
    expect(csv).toContain(cell)

  const rows = rowsOf(await run.out('payments export --since 3d --format json'))
  expect(rows).toHaveLength(622)
  expect(rows[0]).toMatchObject({ order: 'paid', status: 'paid', amount: '29.34', attempts: 1 })
})

test('a payment that changes while others are exported is exported, once', async () => {
  const store = sqliteStore({ file: ':memory:' })
  await store.open()
  const now = Date.now()
  for (let order = 1; order <= 9; order++)
    await store.openAttempt(open({ orderId: `${order}`, now: now - hour + order }))
  const pay = async (orderId: string) => {
    const { attempts } = (await store.payment('default', orderId))!
    await store.learn('default', orderId, attempts[0]!.id, [paid], { source: 'report', now: Date.now() })
  }
  const seen: string[] = []
  for await (const { orderId, status } of changedSince(store, { since: 0, limit: 3 })) {
    seen.push(`${orderId} ${status}`)
    // The oldest, which would come last, and one that has come.
    if (seen.length === 1) for (const order of ['1', '9']) await pay(order)
    if (seen.length === 8) await store.openAttempt(open({ orderId: 'new', now: Date.now() + hour }))
  }
  expect(seen.sort()).toEqual(['1 paid', ...[...'23456789'].map((order) => `${order} pending`)])
  await store.close()
})

test('movements are exported one by one, refunds and those of every attempt too', async () => {
  const cwd = folderWith()
  const now = Date.now() - hour
  const eur = { currency: 'eur', happenedAt: now } as const
  const said = [
    { ...eur, word: 'paid', amount: '29.34', event: 't1' },
    { ...eur, word: 'refunded', amount: '9.34', event: 're_1' },
    { ...eur, word: 'charged_back', amount: '20.00', event: 'du_1' },
  ] as const
  const first = await inStore(cwd, async (store) => {
    const { attempt } = await store.openAttempt(open({ orderId: '1', now }))
    const { attempt: other } = await store.openAttempt(open({ orderId: '1', now, methodId: 'other' }))
    await store.learn('default', '1', attempt.id, said, { source: 'push', now })
    const second = [{ ...said[0], event: 't2' }]
    await store.learn('default', '1', other.id, second, { source: 'push', now: now + 1 })
    return attempt.id
  })
  const run = commandsIn(cwd)
  const rows = rowsOf(await run.out('payments export --movements --format json'))
  expect(rows.map(({ kind, event, amount }) => [kind, event, amount])).toEqual([
    ['paid', 't1', '29.34'],
    ['refunded', 're_1', '9.34'],
    ['charged_back', 'du_1', '20.00'],
    ['paid', 't2', '29.34'],
  ])
  expect(rows[0]).toMatchObject({ shop: 'default', order: '1', adapter: 'psp', currency: 'eur' })
  expect(rows[0].attempt).toBe(first)
  expect((await run.out('payments export --movements --since 30m')).split('\n')).toHaveLength(1)

  const changes = rowsOf(await run.out('payments changes --json --limit 3'))
  expect(changes.map(({ kind }) => kind)).toEqual(['opened', 'opened', 'paid'])
  const rest = await run.out('payments changes --after', changes[2].cursor)
  expect(rest).toMatch(/order 1 of shop default: refunded 9\.34 eur of re_1 \(paid\)/)
  expect(rest.split('\n')).toHaveLength(3)
  expect((await run('payments changes --after x')).code).toBe(2)
})

test('nothing to export is a header, and a wrong time is wrong usage', async () => {
  const run = await withPayments(0)
  expect(await run('payments export --since 2099-01-01')).toMatchObject(printing(0, /^shop,.*$/))
  expect((await run('payments export --since soon')).code).toBe(2)
  expect((await commandsIn(folderWith())('payments export --since 1d')).code).toBe(3)
})
