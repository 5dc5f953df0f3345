import { describe, expect, test } from 'vitest'
import { anomalyId } from '../../../src/payments/anomalies.ts'
import { cancelled, claim, delivered, open, start } from '../../stores/cases/store-case.ts'
import { folderWith, inStore, purveyor, saying } from '../command.ts'

const source = `import { createProvider, price, z } from 'purveyor'

export default createProvider({
  rates: {
    name: 'courier',
    settings: z.object({ account: z.string() }),
    quote: () => [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }],
  },
})
`
const settings = JSON.stringify({
  adapters: { courier: { account: 'Canary account' } },
  credentials: {
    baseUrl: 'https://canary.example',
    language: 'nl',
    key: 'Canary key',
    secret: 'Canary secret',
  },
})
const when = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z {2}/

describe.concurrent('shop log', () => {
  test('says who changed what, in order, and no value of what was set; a shop that never was ends with 1', async () => {
    const cwd = folderWith({ 'provider.ts': source, 'settings.json': settings })
    const env = { SUDO_USER: 'alice' }
    const shop = (...args: string[]) => purveyor(['shop', ...args], { cwd, env })
    expect((await shop('add', 'bikes', '--settings', 'settings.json')).code).toBe(0)
    const { stdout: rotated } = await shop('rotate', 'bikes', '--json')
    await shop('remove', 'bikes')
    const { code, stdout } = await shop('log', 'bikes')
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines) expect(line).toMatch(when)
    const listed = lines.map((line) => line.replace(when, ''))
    const [who] = /^.+ \(sudo by alice\)/.exec(listed[0]!)!
    const ends = new Date(JSON.parse(rotated).oldEndsAt).toISOString()
    expect(listed).toEqual([
      `${who}  added the shop, settings adapters.courier.account, credentials.baseUrl, credentials.language, credentials.key, credentials.secret`,
      `${who}  made a new endpoint; the old one ends at ${ends}`,
      `${who}  removed the shop`,
    ])
    const { stdout: json } = await shop('log', 'bikes', '--limit', '2', '--json')
    const entry = { shop: 'bikes', at: expect.any(Number), by: who }
    expect(JSON.parse(json)).toEqual([
      { ...entry, action: 'endpoint.rotated', oldEndsAt: Date.parse(ends) },
      { ...entry, action: 'shop.removed' },
    ])
    const token = /\/e\/([\w-]{43})/.exec(rotated)![1]!
    for (const secret of ['Canary', 'canary.example', token]) expect(stdout + json).not.toContain(secret)
    expect(await shop('log', 'bikes', '--since', '2999-01-01')).toMatchObject({
      code: 0,
      stdout: 'Nothing of shop bikes was changed since then.\n',
    })
    expect(await shop('log', 'nobody')).toMatchObject(
      saying(1, 'There is no shop nobody, and the audit trail has no entry for it.'),
    )
  })

  test('lists what people do to payments, under the system user, and prints no control character', async () => {
    const cwd = folderWith({ 'provider.ts': source })
    await purveyor(['shop', 'add', 'bikes'], { cwd })
    await inStore(cwd, async (store) => {
      await store.noteShop('bikes', { platformId: 'evil\u001b[2J\n' }, Date.now())
      for (const [attemptId, orderId] of [
        ['bikes.1', '1001'],
        ['bikes.2', '7'],
      ] as const) {
        await store.openAttempt(open({ shopId: 'bikes', attemptId, orderId }))
        await store.learn('bikes', orderId, attemptId, [cancelled], { source: 'report', now: start })
      }
      for (const owed of await store.claimWebhooks(claim)) await store.settleWebhook(owed, delivered())
    })
    const shop = ['--shop', 'bikes']
    const money = ['--amount', '29.34', '--currency', 'eur', '--note', 'Canary note']
    const run = (...args: string[]) => purveyor(args, { cwd })
    expect((await run('payments', 'report', '1001', 'paid', ...money, ...shop)).code).toBe(0)
    const late = { kind: 'late_paid', attemptId: 'bikes.1', event: 'paid =29.34 eur' } as const
    const id = anomalyId('bikes', '1001', late)
    await run('payments', 'close-anomaly', id, '--note', 'Canary note')
    await run('webhooks', 'replay', '1001', ...shop)
    await run('shop', 'erase', 'bikes', '--order', '1001', '--force')
    await run('db', 'prune', '--older-than', '1')
    const { stdout } = await run('shop', 'log', 'bikes')
    const [who] = /(?<=Z {2}).+?(?= {2}reported)/.exec(stdout)!
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(when, '')),
    ).toEqual([
      `${who}  added the shop`,
      'provider  bound the endpoint to platform shop evil\\u001b[2J\\u000a',
      `${who}  reported paid 29.34 eur for order 1001, attempt bikes.1`,
      `${who}  closed the anomaly late_paid (${id}) of order 1001`,
      `${who}  sent the webhook of order 1001 again`,
      `${who}  erased order 1001`,
      expect.stringMatching(/ {2}erased 1 payment at rest since before \d{4}-/),
    ])
  })
})
