import { once } from 'node:events'
import { expect, test } from 'vitest'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { hasStrace, startPayment, startWatched } from './sync-order.ts'

test.skipIf(!hasStrace)(
  'a sync that fails ends the process, and what was acknowledged before is there at the next start',
  async () => {
    const file = `${folderWith()}/sync.db`
    const failing = ['-o', '/dev/null', '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO:when=60+']
    const { child, endpoint } = await startWatched(file, failing)
    const ended = once(child, 'exit')
    const statuses: number[] = []
    for (let id = 1; id <= 100 && !statuses.includes(503); id++)
      statuses.push(await startPayment(endpoint, id))
    expect(statuses.slice(0, 3)).toEqual([201, 201, 201])
    expect(statuses.at(-1)).toBe(503)
    expect((await ended)[0]).toBe(1)

    const store = sqliteStore({ file })
    await store.open()
    for (const [place, status] of statuses.entries()) {
      const stored = await store.payment('default', String(place + 1))
      if (status === 201) expect(stored?.attempts[0]?.started?.reference).toBe(String(place + 1))
    }
    await store.close()
  },
)
