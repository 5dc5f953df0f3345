// Saves the settings of a shop again and again, until a test kills it: each save is a number that counts up.
import { writeSync } from 'node:fs'
import { sqliteStore } from 'purveyor'
import type { StorePort } from '../../src/store-port.ts'

const store = sqliteStore({ file: process.argv[2]! }) as unknown as StorePort
await store.open()
await store.ensureShop('one', { tokenHash: 'h', sealedToken: 's', now: 0 })
const { settingsVersion } = (await store.shop('one'))!
for (let number = settingsVersion; ; number += 3) {
  const save = (one: number) =>
    store.saveSettings('one', { sealed: `${one}`, changed: [`${one}`], version: one - 1 }, one, 'alice')
  await Promise.all([save(number + 1), save(number + 2), save(number + 3)])
  writeSync(1, '.')
}
