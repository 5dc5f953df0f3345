import { expect, test } from 'vitest'
import { minute, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'
import { sized } from '../long.ts'

test('a webhook that the shop accepted without reading the status is delivered again after 15 minutes, and the log says why', async () => {
  const { pay, status, move, calls, lines, workings } = paymentsWith({})
  runBackground(workings)
  await pay(1001)
  await move(14 * minute)
  expect(calls).toHaveLength(1)
  await move(2 * minute)
  expect(calls).toHaveLength(2)
  const message = 'the shop accepted the webhook and has not read the status: delivered again'
  const warned = { level: 'warn', fields: { shop: 'default', order: '1001' }, message }
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([warned])
  expect(await status()).toBe('paid')
  await move(sized(2, 24) * 60 * minute)
  expect(calls).toHaveLength(2)
})
