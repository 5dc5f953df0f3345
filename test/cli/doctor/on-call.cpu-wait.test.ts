import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withCpuWait } from '../../../src/cli/doctor/on-call.ts'

/** The thread stands still, as if another process had its CPU. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test.concurrent('time without a CPU counts, and neither time that others take nor that of own code does', async ({
  expect,
}) => {
  const waits = async (work: () => Promise<unknown>) => (await withCpuWait(work)).waited
  const still = await waits(async () => {
    for (let time = 0; time < 4; time++) {
      await setTimeout(20)
      standStill(150)
    }
  })
  expect(still).toBeGreaterThan(300)
  const busy = await waits(async () => {
    await setTimeout(20)
    const { user } = process.threadCpuUsage()
    while (process.threadCpuUsage().user - user < 300_000);
    await setTimeout(20)
  })
  const outside = await waits(() => setTimeout(300))
  // A machine that is busy with other tests takes some of it.
  expect(Math.min(busy, outside)).toBeLessThan(still / 2)
})

test('the result is that of the work, and an error stays one', async () => {
  expect(await withCpuWait(async () => 'x')).toEqual({ result: 'x', waited: expect.any(Number) })
  await expect(withCpuWait(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
