import { expect, test } from 'vitest'
import type { Patient } from '../../../src/cli/doctor/check.ts'
import { onCallChecks } from '../../../src/cli/doctor/on-call.ts'
import { time } from '../../../src/cli/terminal/print.ts'
import type { ServiceFailures } from '../../../src/store-port.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'

const now = Date.now()

test('refused pushes are a warning until each shop has an accepted one', async () => {
  const store = sqliteStore({ file: ':memory:' })
  await store.open()
  const refused = (shopId: string, okAt?: number, lastAt = now - 5_000): ServiceFailures => ({
    ...{ kind: 'push', adapter: 'psp', shopId, firstAt: now - 9_000, lastAt, okAt, calls: 3 },
    failure: 'push.verify does not accept its signature',
  })
  const patient = { store, provider: { services: ['payments'] } } as unknown as Patient
  const accepted = refused('red', now - 6_000, now - 8_000)
  await store.noteServiceFailures('a', [accepted, refused('blue')])
  expect(await onCallChecks['refused pushes']!(patient)).toMatchObject({
    verdict: 'warn',
    says: `6 refused calls of psp for 2 shops, the first ${time(now - 9_000)}, the last ${time(now - 5_000)} (push.verify does not accept its signature)`,
  })
  await store.noteServiceFailures('a', [accepted, refused('blue', now - 1_000)])
  expect(await onCallChecks['refused pushes']!(patient)).toMatchObject({ verdict: 'ok' })
})
