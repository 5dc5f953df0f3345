import { describe, expect, test } from 'vitest'
import { anomalyId } from '../../../src/payments/ledger/anomalies.ts'
import { cancelled, openOwed, start } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore, saying } from '../command.ts'
import { deliverAll } from '../waiting-orders.ts'

const source = `import { createProvider, z } from 'purveyor'

const settings = z.object({ account: z.string() })
export default createProvider({ rates: { name: 'courier', settings, quote: () => [] } })
`
const platform = { baseUrl: 'https://canary.example', language: 'nl', key: 'Canary key' }
const settings = {
  adapters: { courier: { account: 'Canary account' } },
  credentials: { ...platform, secret: 'Canary secret' },
}
const when = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z {2}/gm

describe.concurrent('shop log', () => {
  test('says who changed what, in order, and no value of what was set; a shop that never was ends with 1', async () => {
    const cwd = folderWith({ 'provider.ts': source, 'settings.json': settings })
    const run = commandsIn(cwd, { SUDO_USER: 'alice' })
    expect((await run('shop add bikes --settings settings.json')).code).toBe(0)
    const { endpoint, oldEndsAt } = await run.json('shop rotate bikes')
    await run('shop remove bikes')
    const { code, out } = await run('shop log bikes')
    expect(code).toBe(0)
    expect(out.match(when)).toHaveLength(3)
    const listed = out.replace(when, '')
    const [who] = /^.+ \(sudo by alice\)/.exec(listed)!
    const ends = new Date(oldEndsAt).toISOString()
    expect(listed.split('\n')).toEqual([
      `${who}  added the shop, settings adapters.courier.account, credentials.baseUrl, credentials.language, credentials.key, credentials.secret`,
      `${who}  made a new endpoint; the old one ends at ${ends}`,
      `${who}  removed the shop`,
    ])
    const json = await run.out('shop log bikes --limit 2 --json')
    const entry = { shop: 'bikes', at: expect.any(Number), by: who }
    expect(JSON.parse(json)).toEqual([
      { ...entry, action: 'endpoint.rotated', oldEndsAt },
      { ...entry, action: 'shop.removed' },
    ])
    const token = /\/e\/([\w-]{43})/.exec(endpoint)![1]!
    for (const secret of ['Canary', 'canary.example', token]) expect(out + json).not.toContain(secret)
    const later = { code: 0, out: 'Nothing of shop bikes was changed since then.' }
    expect(await run('shop log bikes --since 2999-01-01')).toMatchObject(later)
    const never = 'There is no shop nobody, and the audit trail has no entry for it.'
    expect(await run('shop log nobody')).toMatchObject(saying(1, never))
  })

  test('lists what people do to payments, under the system user, and prints no control character', async () => {
    const cwd = folderWith({ 'provider.ts': source })
    const run = commandsIn(cwd)
    await run('shop add bikes')
    await inStore(cwd, async (store) => {
      await store.noteShop('bikes', { platformId: 'evil\u001b[2J\n' }, Date.now())
      await openOwed(store, { shopId: 'bikes', attemptId: 'bikes.1', now: start }, cancelled)
      await openOwed(store, { shopId: 'bikes', attemptId: 'bikes.2', orderId: '7', now: start }, cancelled)
      await deliverAll(store, start)
    })
    const report = 'payments report 1001 paid --amount 29.34 --currency eur --shop bikes --note'
    expect((await run(report, 'Canary note')).code).toBe(0)
    const late = { kind: 'late_paid', attemptId: 'bikes.1', event: 'paid =29.34 eur' } as const
    const id = anomalyId('bikes', '1001', late)
    await run('payments close-anomaly', id, '--note', 'Canary note')
    await run('webhooks replay 1001 --shop bikes')
    await run('shop erase bikes --order 1001 --force')
    await run('db prune --older-than 1')
    const out = await run.out('shop log bikes')
    const [who] = /(?<=Z {2}).+?(?= {2}reported)/.exec(out)!
    expect(out.replace(when, '').split('\n')).toEqual([
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
