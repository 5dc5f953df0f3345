import { join } from 'node:path'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { listening } from '../listening.ts'
import { serveOrigin } from '../serve-origin.ts'
import { opened } from '../stores/opened.ts'
import { payment } from './messages.ts'

test('a node that stops claims no more webhooks while its port is open, and finishes those that it holds', async () => {
  const called: string[] = []
  const finish: (() => void)[] = []
  const hooks = await serveOrigin((req, res) => {
    called.push(req.url!)
    finish.push(() => res.end())
  })
  const file = join(folderWith(), 'store.db')
  const { provider, endpoint } = await listening({
    store: sqliteStore({ file }),
    payments: {
      name: 'psp',
      methods: () => [],
      start: ({ id }) => ({ redirect: `${hooks}/pay`, reference: id }),
    },
  })
  const pay = async (id: number) => {
    const sent = { ...payment({ id }), redirect_url: `${hooks}/return`, webhook_url: `${hooks}/${id}` }
    await supertest(endpoint).post('/payment').send(sent).expect(201)
    const report = { status: 'paid', amount: '29.34', currency: 'eur' } as const
    await provider.payments.report({ orderId: id }, report)
  }
  await pay(1)
  await expect.poll(() => called).toEqual(['/1'])
  const stopped = provider.stop({ delay: 4_000 })
  await pay(2)
  finish[0]!()
  await stopped
  expect(called).toEqual(['/1'])
  const store = await opened(sqliteStore({ file }))
  expect(await store.countWebhooks()).toMatchObject({ owed: 1, dead: 0 })
  expect((await store.payment('default', '1'))?.deliveredVersion).toBe(1)
})
