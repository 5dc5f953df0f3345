import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { testStore } from './cases/test-store.ts'

describe('memory', () => {
  testStore({ test, open: memoryStore })
})

describe('sqlite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'purveyor-store-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let files = 0
  testStore({ test, open: () => sqliteStore({ file: join(folder, `${++files}.db`) }) })
})
