import { expect, test } from 'vitest'
import { storeTime } from '../../../src/cli/provider/store.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { sourcesIn } from '../../sources.ts'
import { claim, delivered, minute, open, openOwed } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore } from '../command.ts'

/** A machine whose clock is two hours ahead. */
const ahead = {
  NODE_OPTIONS: `--import ${new URL('../../../src/cli/dev/moving-clock.ts', import.meta.url)}`,
  PURVEYOR_CLOCK_OFFSET: String(120 * minute),
}

test('webhooks replay and payments report on a machine two hours ahead make their calls due at once', async () => {
  const cwd = folderWith()
  await commandsIn(cwd)('db migrate')
  await inStore(cwd, async (store) => {
    const claimed = async () => {
      const now = Date.now()
      const owed = await store.claimWebhooks({ ...claim, now, leaseUntil: now + minute })
      for (const one of owed) await store.settleWebhook(one, delivered(now))
      return owed.map(({ orderId }) => orderId).sort()
    }
    await openOwed(store, { orderId: '1', now: Date.now() })
    await store.openAttempt(open({ orderId: '2', now: Date.now() }))
    expect(await claimed()).toEqual(['1'])
    const run = commandsIn(cwd, ahead)
    expect((await run('webhooks replay 1')).code).toBe(0)
    expect((await run('payments report 2 paid --amount 29.34 --currency eur')).code).toBe(0)
    expect(await claimed()).toEqual(['1', '2'])
  })
})

test('a command goes by the time of its store', () => {
  expect(storeTime({ now: () => 42 } as StorePort)).toBe(42)
})

test('no command that opens a store takes the time of its machine for it', () => {
  const opening = sourcesIn('cli').filter(({ text }) => /\b(?:withStore|withShop|onStore)\(/.test(text))
  expect(opening.filter(({ text }) => text.includes('Date.now()')).map(({ file }) => file)).toEqual([])
})
