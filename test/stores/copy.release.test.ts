import { expect, test } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { sharedPostgres } from '../postgres.ts'
import { copied, filledStore, released } from './copying.ts'
import { opened } from './opened.ts'

const server = await sharedPostgres()

test('a release lets the source be served and its copy no longer, unless the copy was served', async () => {
  const [from, to] = [await filledStore(), await server.database()]
  await copied(from, to)
  await expect(released(from, await filledStore())).rejects.toThrow('is not the copy of this store')
  await expect(released(to)).rejects.toThrow('was not copied')
  await released(from, to)
  await expect(released(from, to)).rejects.toThrow('released already')
  const given = await opened(postgresStore({ url: to }))
  expect(await given.copyMarks()).toMatchObject([{ state: 'retired' }])
  await expect(given.forget(Date.now())).rejects.toThrow('purveyor explain STORE_MOVED')
  // The source takes writes again, and may be copied again.
  const source = sqliteStore({ file: from.slice('sqlite:'.length) })
  await source.open()
  await source.forget(Date.now())
  await source.close()
  const second = await server.database()
  await copied(from, second)
  await (await opened(postgresStore({ url: second }))).noteServed(1_800_000_000_000)
  await expect(released(from, second)).rejects.toThrow(
    /have served the copy since 2027-01-15 08:00:00: what happened there would be lost\. Copy back/,
  )
  // The copy is gone.
  await released(from)
})
