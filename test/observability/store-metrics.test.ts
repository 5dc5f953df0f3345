import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { processOf } from '../stores/process-of.ts'
import { observedProvider } from './pair.ts'

test('a process of another machine that is silent is counted, one that was replaced is not, and free bytes of the disk are shown', async () => {
  const store = sqliteStore({ file: join(folderWith(), 'p.db') })
  const { provider } = await observedProvider({ store })
  const metric = async (name: string) => {
    const line = (await provider.metrics()).split('\n').find((one) => one.startsWith(`${name} `))
    return line && Number(line.slice(name.length + 1))
  }
  expect(await metric('purveyor_nodes_silent')).toBe(0)
  expect(await metric('purveyor_store_disk_free_bytes')).toBeGreaterThan(0)

  const now = Date.now()
  const seen = (host: string, pid: number, at: number) => {
    const runs = { ...processOf(host, at - 1_000), pid }
    return store.noteNode({ id: `${host} ${pid}`, opens: [], runs }, { now: at, since: 0 })
  }
  await seen('elsewhere', 7, now - 60_000)
  await seen('in-a-container', 1, now - 60_000)
  await seen('in-a-container', 2, now - 5_000)
  // No process can have this id.
  await seen(hostname(), 2 ** 30, now - 60_000)
  await expect.poll(() => metric('purveyor_nodes_silent'), { timeout: 20_000 }).toBe(1)
})

test('a store without a file has no metric of its disk', async () => {
  const { provider } = await observedProvider()
  expect(await provider.metrics()).not.toMatch(/^purveyor_store_disk_free_bytes /m)
})
