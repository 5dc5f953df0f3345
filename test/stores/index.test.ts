import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { testStore } from './cases/test-store.ts'
import { makeTables } from './sqlite-tables.ts'

describe('memory', () => {
  testStore({ test, open: memoryStore })
})

describe('sqlite', () => {
  const empty = join(folderWith(), 'empty.db')
  beforeAll(() => makeTables(empty))
  testStore({
    test,
    open() {
      const file = join(folderWith(), 'store.db')
      // Its tables are made once.
      copyFileSync(empty, file)
      return sqliteStore({ file })
    },
  })
})
