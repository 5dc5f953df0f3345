import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { testStore } from './cases/test-store.ts'

describe('memory', () => {
  testStore({ test, open: memoryStore })
})

describe('sqlite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-store-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const empty = join(folder, 'empty.db')
  beforeAll(async () => {
    const store = sqliteStore({ file: empty })
    await store.open()
    await store.close()
  })
  let files = 0
  testStore({
    test,
    open() {
      const file = join(folder, `${++files}.db`)
      // Its tables are made once.
      copyFileSync(empty, file)
      return sqliteStore({ file })
    },
  })
})
