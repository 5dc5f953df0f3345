import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { payment } from '../http/messages.ts'
import { keptLog, listening } from '../listening.ts'

const hour = 3_600_000

test('a clock that jumps by two hours expires nothing, is logged with its code, and is counted', async () => {
  const store = sqliteStore({ file: join(mkdtempSync(join(tmpdir(), 'purveyor-clock-')), 'store.db') })
  const { lines, logger } = keptLog()
  const { provider, endpoint } = await listening({
    store,
    logger,
    payments: {
      name: 'psp',
      methods: () => [],
      start: ({ id }) => ({
        redirect: 'https://psp.example/1',
        reference: id,
        expiresAt: new Date(Date.now() + hour),
      }),
    },
  })
  await supertest(endpoint)
    .post('/payment')
    .send(payment({ id: 1 }))
    .expect(201)

  const real = Date.now
  const set = vi.spyOn(Date, 'now').mockImplementation(() => real() + 2 * hour)
  onTestFinished(() => set.mockRestore())
  const jumps = async () => (await supertest(new URL(endpoint).origin).get('/metrics')).text
  await expect.poll(jumps).toContain('purveyor_clock_jumps_total{clock="machine"} 1')
  expect(Number(/^purveyor_clock_off_seconds (\d+)/m.exec(await jumps())?.[1])).toBeGreaterThan(7_000)
  expect(lines).toContainEqual(expect.objectContaining({ code: 'CLOCK_JUMPED', seconds: 7_200 }))
  // Every attempt is looked at when the background work starts.
  await provider.stop()
  const looked = vi.spyOn(store, 'claimChecks')
  await provider.listen({ port: 0 })
  await expect.poll(() => looked.mock.results.length).toBeGreaterThan(0)
  await provider.stop()
  await store.open()
  expect((await store.payment('default', '1'))?.status).toBe('pending')
  await store.close()
})
