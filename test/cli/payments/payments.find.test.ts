import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashPageToken } from '../../../src/payments/addresses.ts'
import { codeOf } from '../../../src/payments/ledger/payment.ts'
import { open, paid } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore, printing, saying } from '../command.ts'
import { failAll, owe } from '../waiting-orders.ts'

const start = Date.UTC(2026, 2, 2, 10)
const pageToken = 'page-token-of-order-41'

const cwd = folderWith()
const run = commandsIn(cwd, { PURVEYOR_PUBLIC_URL: 'https://p.example' })

/** An outage that left 1,200 starts in doubt, an order that is pending, and one whose shop fails. */
beforeAll(async () => {
  await run('db migrate')
  await inStore(cwd, async (store) => {
    for (const id of ['red', 'blue'])
      await store.ensureShop(id, { tokenHash: id, sealedToken: 'sealed', now: start })
    const doubt = async (shopId: string, orderId: string, now: number, adapter = 'psp') => {
      const { attempt } = await store.openAttempt(open({ shopId, orderId, adapter, now }))
      const unknown = { kind: 'start_unknown', attemptId: attempt.id, event: '' } as const
      await store.openAnomaly(shopId, orderId, unknown, now)
    }
    const orders = Array.from({ length: 1_200 }, (_, order) => order)
    await Promise.all(
      orders.map((order) => doubt(order % 2 ? 'red' : 'blue', `o${order}`, start + order * 1_000)),
    )
    const pageHash = hashPageToken(pageToken)
    await store.openAttempt(open({ shopId: 'red', orderId: '41', orderNumber: 'ORD41', pageHash }))
    const webhookUrl = 'https://hooks.blue.example/status'
    const { attempt } = await store.openAttempt(open({ shopId: 'blue', orderId: '42', webhookUrl }))
    const fact = { ...paid, event: 'pay_42' }
    await store.learn('blue', '42', attempt.id, [fact], { source: 'report', now: start })
    await doubt('blue', '43', start, 'bank')
  })
})

test('payments show takes every name that one payment has, and lists those of a name that many have', async () => {
  for (const name of ['41', 'ORD41', pageToken]) {
    const { out } = await run('payments show', name)
    expect(out).toContain('Order 41 of shop red: pending')
  }
  expect(await run.out('payments show pay_42')).toContain('Order 42 of shop blue: paid')
  const several = /^purveyor: 29\.34 names \d+ payments\. Choose one: \S+ --shop blue, /
  expect(await run('payments show 29.34 --shop blue')).toMatchObject(saying(2, several))
  expect((await run('payments show nothing')).err).toContain('There is no payment for order nothing.')
})

describe('payments find', () => {
  test('finds in all shops by order, number, event and page address, and says what comes next', async () => {
    const byOrder = await run('payments find 41')
    const pending =
      /red +41 +order +pending +the payment service \(psp\): its start began \S+ \S+ and has no answer/
    expect(byOrder).toMatchObject(printing(0, pending))
    expect(byOrder.out).toContain('Next: purveyor payments show 41 --shop red')
    for (const name of ['ORD41', `https://p.example/p/${pageToken}/done`, pageToken]) {
      const { payments } = await run.json('payments find', name)
      expect(payments).toMatchObject([{ shop: 'red', order: '41', status: 'pending' }])
    }
    const { out } = await run('payments find 42')
    expect(out).toMatch(/blue +42 +order +paid +its webhook to hooks\.blue\.example; next try 2\d{3}-/)
    expect(out).toContain('Next: purveyor webhooks show 42 --shop blue')
    expect(await run.out('payments find pay_42')).toMatch(/blue +42 +event +paid/)
    expect(await run.out('payments find o7')).toContain('a person: start_unknown')
    const code = codeOf({ openedAt: start + 7_000 })
    expect(code).toMatch(/^\w{3}-\w{3}-\w{3}$/)
    expect(await run.out('payments find', code)).toMatch(/^red +o7 +code +pending/m)
  })

  test('says so where there is none, and refuses what no payment is called', async () => {
    expect(await run('payments find nothing')).toMatchObject(printing(1, 'No payment has this id'))
    expect(await run('payments find', ' ')).toMatchObject({ code: 2 })
  })
})

describe('anomalies of one cause', () => {
  test('stand in one line, are looked at first, and are closed with one command', async () => {
    const { out } = await run('payments anomalies')
    expect(out).toMatch(/2 shops +psp +start_unknown +1200\n/)
    expect(out).toMatch(/blue +43 +bank +start_unknown +1\n/)
    const [, command = ''] = /^ {2}purveyor (payments close-anomalies .*) --dry-run$/m.exec(out) ?? []
    expect(command).toContain(' --adapter ')

    const dry = await run.out(command, '--dry-run')
    expect(dry).toContain('1200 start_unknown in 2 shops would be closed:')
    expect(await run.json('payments anomalies')).toMatchObject([{ count: 1 }, { count: 1_200 }])
    const closed = await run.json(command, '--note', 'outage of psp, all looked at')
    expect(closed).toMatchObject({ closed: 1_200, kind: 'start_unknown', adapter: 'psp' })
    const left = await run.out('payments anomalies --each')
    expect(left).not.toContain('bank')
    expect(left.match(/start_unknown$/gm)).toHaveLength(1)
    const trail = await inStore(cwd, (store) => store.auditTrail({ shopId: 'red', limit: 2_000 }))
    expect(trail.filter(({ action }) => action === 'anomaly.closed')).toHaveLength(600)
  })

  test.each([
    ['nothing --dry-run', 'Allowed choices are'],
    ['start_unknown', '--note'],
    ['start_unknown --before x', 'Write how long ago'],
  ])('close-anomalies --kind %s is refused', async (words, says) => {
    expect(await run(`payments close-anomalies --kind ${words}`)).toMatchObject(saying(2, says))
  })
})

describe('lanes', () => {
  test('are listed, shown and opened by command, with an entry in the audit trail', async () => {
    const now = Date.now()
    await inStore(cwd, async (store) => {
      for (const orderId of ['51', '52', '53', '54']) await owe(store, orderId, 'hooks.red.example:8443')
      await failAll(store, 503)
    })
    const listed = await run.json('lanes list --shop red')
    const lane = { kind: 'webhook', shop: 'red', to: 'hooks.red.example:8443', state: 'closed' }
    expect(listed).toMatchObject([{ ...lane, waiting: 4, failures: 4, lastFailure: 'status 503' }])
    expect(listed[0].nextTryAt).toBeGreaterThan(now)
    const line = /^webhook +red +hooks\.red\.example:8443 +closed .* 4 +status 503$/m
    expect(await run.out('lanes list')).toMatch(line)
    await run('lanes open webhook red hooks.red.example:8443')
    const open = { state: 'open', waiting: 4 }
    expect(await run.json('lanes list --all --shop red')).toMatchObject([open])
    const [entry] = (await inStore(cwd, (store) => store.auditTrail({ shopId: 'red', limit: 1 }))).slice(-1)
    expect(entry).toMatchObject({ action: 'lane.opened', kind: 'webhook', to: 'hooks.red.example:8443' })
    expect(entry!.by).not.toBe('provider')
  })

  test('the commands of the page do what it says', async () => {
    const now = Date.now()
    await inStore(cwd, async (store) => {
      await store.ensureShop('bikes', { tokenHash: 'bikes', sealedToken: 'sealed', now })
      for (const id of ['1042', '1043', '1044', '1045']) await owe(store, id, 'hooks.bikes.example', 'bikes')
      await failAll(store, 503, undefined, 'bikes')
      const failure = { since: now - 1_000, nextTry: now - 1, lastFailure: 'no answer within 2500 ms' }
      await store.noteBreakers('a', [{ adapter: 'courier', shopId: undefined, ...failure }], now)
    })
    const page = readFileSync(new URL('../../../docs/on-call.md', import.meta.url), 'utf8')
    const outputs: string[] = []
    for (const [, words = ''] of page.matchAll(/^(?:\$ )?purveyor ((?:payments find|lanes) .*)$/gm)) {
      const { code, out } = await run(words)
      expect(code).toBe(0)
      outputs.push(out)
    }
    const [found, listed, shown, opened, asked] = outputs
    expect(found).toContain('Next: purveyor lanes show webhook bikes hooks.bikes.example')
    expect(listed).toMatch(/^webhook +bikes +hooks\.bikes\.example +closed .* 4 +status 503$/m)
    const line = /^rates +@all +courier +closed +(\S+ \S+) +(\S+ \S+) +0 +no answer within 2500 ms$/m
    const [, since = '', next = ''] = line.exec(listed!) ?? []
    expect(next > since).toBe(true)
    expect(shown).toContain('Lane of webhooks of shop bikes to hooks.bikes.example: closed')
    expect(opened).toContain('The lane is open. 4 calls are tried now')
    expect(asked).toContain('1 process will ask courier again')
  })

  test.each([
    ['open push red nobody', 'purveyor lanes list'],
    ['list --kind carrier', 'webhook, push, rates'],
  ])('%s is refused, with where to look', async (words, says) => {
    expect(await run(`lanes ${words}`)).toMatchObject(saying(2, says))
  })
})
