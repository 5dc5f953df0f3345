import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { withBuiltPackage } from '../built.ts'
import { folderWith } from '../folder.ts'
import { sized } from '../long.ts'

test('after kills every saved change has its entry, and every entry its change', async () => {
  const file = `${folderWith()}/killed.db`
  const withPackage = await withBuiltPackage()
  const script = new URL('./settings.ts', import.meta.url).pathname
  let saved = 0
  for (let kill = 0; kill < sized(3, 5); kill++) {
    const child = spawn(process.execPath, [...withPackage, script, file])
    const ended = once(child, 'exit')
    // Some saves are acknowledged; the next ones are under way.
    for (let acknowledged = 0; acknowledged <= 4 * kill; ) {
      const [dots] = (await once(child.stdout, 'data')) as [Buffer]
      acknowledged += dots.length
    }
    child.kill('SIGKILL')
    await ended

    const store = sqliteStore({ file })
    await store.open()
    const { settingsVersion, sealedSettings } = (await store.shop('one'))!
    const entries = (await store.auditTrail({ shopId: 'one', limit: 1e6 })).filter(
      ({ action }) => action === 'settings.saved',
    )
    await store.close()
    expect(entries.map(({ at }) => at)).toEqual(Array.from({ length: settingsVersion }, (_, at) => at + 1))
    expect(entries.at(-1)).toMatchObject({ changed: [sealedSettings] })
    expect(settingsVersion).toBeGreaterThan(saved)
    saved = settingsVersion
  }
})
