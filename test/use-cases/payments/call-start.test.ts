import { pino } from 'pino'
import { createProvider } from 'purveyor'
import { startSandbox } from 'purveyor/testing'
import { expect, onTestFinished, test } from 'vitest'
import { memoryStore } from '../../../src/stores/memory.ts'

test.each([
  ['pay.example/x', 'start() of payment adapter "psp" returns a redirect without https:// in front'],
  ['//pay.example:8443/x', 'start() of payment adapter "psp" returns a redirect without https:// in front'],
  ['/x', 'start() of payment adapter "psp" returns { redirect: url }'],
  ['ftp://pay.example', 'start() of payment adapter "psp" returns { redirect: url }'],
])('a redirect to %s is refused with what is wrong', async (redirect, words) => {
  const lines: string[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const payments = {
    name: 'psp',
    methods: () => [{ id: 'card', title: 'Card' }],
    start: () => ({ redirect }),
  }
  const shop = await startSandbox(createProvider({ store: memoryStore(), logger, payments }))
  onTestFinished(() => shop.close())
  expect((await shop.checkout().placeOrder()).paymentUrl).toBeUndefined()
  expect(JSON.parse(lines[0]!).err.message).toContain(words)
})
