import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { storeTime } from '../../../src/cli/provider/store.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { claim, delivered, minute, open, paid } from '../../stores/cases/store-case.ts'
import { folderWith, inStore, purveyor } from '../command.ts'

const commands = new URL('../../../src/cli/', import.meta.url)
/** A machine whose clock is two hours ahead. */
const ahead = {
  NODE_OPTIONS: `--import ${new URL('dev/moving-clock.ts', commands)}`,
  PURVEYOR_CLOCK_OFFSET: String(120 * minute),
}

test('webhooks replay and payments report on a machine two hours ahead make their calls due at once', async () => {
  const cwd = folderWith()
  await purveyor(['db', 'migrate'], { cwd })
  await inStore(cwd, async (store) => {
    const claimed = async () => {
      const now = Date.now()
      const owed = await store.claimWebhooks({ ...claim, now, leaseUntil: now + minute })
      for (const one of owed) await store.settleWebhook(one, delivered(now))
      return owed.map(({ orderId }) => orderId).sort()
    }
    for (const orderId of ['1', '2']) await store.openAttempt(open({ orderId, now: Date.now() }))
    const [attempt] = (await store.payment('default', '1'))!.attempts
    await store.learn('default', '1', attempt!.id, [paid], { source: 'report', now: Date.now() })
    expect(await claimed()).toEqual(['1'])
    const replayed = await purveyor(['webhooks', 'replay', '1'], { cwd, env: ahead })
    expect(replayed).toMatchObject({ code: 0 })
    const amount = ['--amount', '29.34', '--currency', 'eur']
    const reported = await purveyor(['payments', 'report', '2', 'paid', ...amount], { cwd, env: ahead })
    expect(reported).toMatchObject({ code: 0 })
    expect(await claimed()).toEqual(['1', '2'])
  })
})

test('a command goes by the time of its store', () => {
  expect(storeTime({ now: () => 42 } as StorePort)).toBe(42)
})

test('no command that opens a store takes the time of its machine for it', () => {
  const sources = readdirSync(commands, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const own = sources.filter((file) => {
    const source = readFileSync(new URL(file, commands), 'utf8')
    return /\b(?:withStore|withShop|onStore)\(/.test(source) && source.includes('Date.now()')
  })
  expect(own).toEqual([])
})
