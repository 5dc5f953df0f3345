import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import type { Patient } from '../../../src/cli/doctor/check.ts'
import { machineChecks } from '../../../src/cli/doctor/machine.ts'
import { onCallChecks } from '../../../src/cli/doctor/on-call.ts'
import { nodesOn, silentOf, standstillOf } from '../../../src/cli/serve/nodes.ts'
import { time } from '../../../src/cli/terminal/print.ts'
import type { NodeRuns, StorePort } from '../../../src/store-port.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { version } from '../../../src/version.ts'
import { open, paid } from '../../stores/cases/store-case.ts'

const now = Date.now()
/** No process has this number. */
const gone = 4_194_400

async function storeWith(fill: (store: StorePort) => Promise<unknown>): Promise<StorePort> {
  const store = sqliteStore({ file: ':memory:' })
  await store.open()
  await fill(store)
  return store
}

/** Notes a process that was seen `ago` milliseconds ago. */
async function note(store: StorePort, id: string, ago: number, of: Partial<NodeRuns>): Promise<void> {
  const runs = { host: 'web-1', pid: 71, mainPid: 71, version, build: '', since: now - 3_600_000, ...of }
  await store.noteNode({ id, opens: ['a'], runs }, { now: now - ago, since: 0 })
}

const nodesFound = (store: StorePort) =>
  onCallChecks.nodes!({ store, inspection: { opens: () => ['a'] } } as unknown as Patient)

test('the newest write is that of a node that died after the one that is silent', async () => {
  const store = await storeWith(async (filled) => {
    await note(filled, 'silent', 300_000, { host: 'web-2', pid: 9, mainPid: 9 })
    await note(filled, 'died', 90_000, { host: hostname(), pid: gone, mainPid: gone })
  })
  const says = standstillOf(await nodesOn(store))
  expect(says).toContain(`since ${time(now - 90_000)} (the last one on ${hostname()})`)
  expect(await nodesFound(store)).toMatchObject({ verdict: 'fail', says })
})

test('a store on which no provider runs is a failure where one has run, and a warning before the first start', async () => {
  const empty = await storeWith(() => Promise.resolve())
  expect(await nodesFound(empty)).toMatchObject({
    verdict: 'warn',
    remedy: 'Start the provider, such as with purveyor serve',
  })
  const { attempt } = await empty.openAttempt(open({ orderId: '1', now }))
  await empty.learn('default', '1', attempt.id, [paid], { source: 'report', now })
  expect(await nodesFound(empty)).toMatchObject({
    verdict: 'fail',
    says: 'No provider runs on this store: nothing is tried until one starts',
  })
  const died = await storeWith((filled) =>
    note(filled, 'died', 90_000, { host: hostname(), pid: gone, mainPid: gone }),
  )
  expect(await nodesFound(died)).toMatchObject({
    verdict: 'fail',
    says: `No provider runs on this store (the last one, on ${hostname()}, ended after ${time(now - 90_000)}): nothing is tried until one starts`,
  })
})

test('every silent process is named with the command that ends it, beside nodes of another version', async () => {
  const one = await storeWith((store) => note(store, 'a', 50_000, { pid: 72, mainPid: 70 }))
  expect(silentOf(await nodesOn(one))?.remedy).toBe(
    'If it hangs, end it on its machine: kill -9 72. Another one replaces it',
  )
  const both = await storeWith(async (store) => {
    await note(store, 'a', 50_000, { pid: 72, mainPid: 70 })
    await note(store, 'b', 40_000, { host: 'web-2', pid: 81 })
    await note(store, 'c', 1_000, { host: 'web-3', pid: 91, mainPid: 91 })
    await note(store, 'd', 1_000, { host: 'web-4', pid: 95, mainPid: 95, version: '0.0.9' })
  })
  const found = await nodesFound(both)
  expect(found.says).toContain(
    `2 processes have noted nothing: on web-1, process id 72, since ${time(now - 50_000)}; on web-2, process id 81, since ${time(now - 40_000)}. `,
  )
  expect(found.says).toContain('Nodes run different versions')
  expect(found.remedy).toContain('kill -9 <pid>')
})

test('no node that has ended is said to have the secret', async () => {
  const store = await storeWith((filled) =>
    note(filled, 'died', 25_000, { host: hostname(), pid: gone, mainPid: gone }),
  )
  const patient = { store, inspection: { opens: () => ['a'] } } as unknown as Patient
  expect(await machineChecks['secret of nodes']!(patient)).toEqual({
    verdict: 'skipped',
    says: 'No provider runs on this store',
  })
})

test('starts that fail are no closed lane', async () => {
  const store = await storeWith(async (filled) => {
    const failed = { adapter: 'psp', shopId: 'red', calls: 2, failure: 'no answer', okAt: undefined }
    await filled.noteServiceFailures('a', [{ kind: 'start', ...failed, firstAt: now, lastAt: now }])
  })
  expect(await onCallChecks.lanes!({ store } as unknown as Patient)).toMatchObject({ verdict: 'ok' })
})
