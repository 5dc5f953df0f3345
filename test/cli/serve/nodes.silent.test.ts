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
import { openOwed } from '../../stores/cases/store-case.ts'

const now = Date.now()
/** No process has this number. */
const gone = 4_194_400

/** A store of these processes: each was seen `ago` milliseconds ago. */
async function storeWith(...nodes: [id: string, ago: number, of: Partial<NodeRuns>][]): Promise<StorePort> {
  const store = sqliteStore({ file: ':memory:' })
  await store.open()
  for (const [id, ago, of] of nodes) {
    const runs = { host: 'web-1', pid: 71, mainPid: 71, version, build: '', since: now - 3_600_000, ...of }
    await store.noteNode({ id, opens: ['a'], runs }, { now: now - ago, since: 0 })
  }
  return store
}

const patientOf = (store: StorePort) => ({ store, inspection: { opens: () => ['a'] } }) as unknown as Patient
const nodesFound = (store: StorePort) => onCallChecks.nodes!(patientOf(store))
const onThis = { host: hostname(), pid: gone, mainPid: gone }

test('the newest write is that of a node that died after the one that is silent', async () => {
  const silent = { host: 'web-2', pid: 9, mainPid: 9 }
  const store = await storeWith(['silent', 300_000, silent], ['died', 90_000, onThis])
  const says = standstillOf(await nodesOn(store))
  expect(says).toContain(`since ${time(now - 90_000)} (the last one on ${hostname()})`)
  expect(await nodesFound(store)).toMatchObject({ verdict: 'fail', says })
})

test('a store on which no provider runs is a failure where one has run, and a warning before the first start', async () => {
  const empty = await storeWith()
  expect(await nodesFound(empty)).toMatchObject({
    verdict: 'warn',
    remedy: 'Start the provider, such as with purveyor serve',
  })
  await openOwed(empty, { now })
  expect(await nodesFound(empty)).toMatchObject({
    verdict: 'fail',
    says: 'No provider runs on this store: nothing is tried until one starts',
  })
  const died = await storeWith(['died', 90_000, onThis])
  expect(await nodesFound(died)).toMatchObject({
    verdict: 'fail',
    says: `No provider runs on this store (the last one, on ${hostname()}, ended after ${time(now - 90_000)}): nothing is tried until one starts`,
  })
})

test('every silent process is named with the command that ends it, beside nodes of another version', async () => {
  const one = await storeWith(['a', 50_000, { pid: 72, mainPid: 70 }])
  const remedy = 'End each one that hangs on its machine: kill -9 72. Start it again if no supervisor does'
  expect(silentOf(await nodesOn(one))?.remedy).toBe(remedy)
  const both = await storeWith(
    ['a', 50_000, { pid: 72, mainPid: 70 }],
    ['b', 40_000, { host: 'web-2', pid: 81 }],
    ['c', 1_000, { host: 'web-3', pid: 91, mainPid: 91 }],
    ['d', 1_000, { host: 'web-4', pid: 95, mainPid: 95, version: '0.0.9' }],
  )
  const found = await nodesFound(both)
  expect(found.says).toContain(
    `2 processes have written nothing to the store: on web-1, process id 72, since ${time(now - 50_000)}; on web-2, process id 81, since ${time(now - 40_000)}. `,
  )
  expect(found.says).toContain('Nodes run different versions')
  expect(found.remedy).toContain('kill -9 <pid>')
})

test('no node that has ended is said to have the secret', async () => {
  const store = await storeWith(['died', 25_000, onThis])
  const none = { verdict: 'skipped', says: 'No provider runs on this store' }
  expect(await machineChecks['secret of nodes']!(patientOf(store))).toEqual(none)
})

test('starts that fail are no closed lane', async () => {
  const store = await storeWith()
  const failed = { adapter: 'psp', shopId: 'red', calls: 2, failure: 'no answer', okAt: undefined }
  await store.noteServiceFailures('a', [{ kind: 'start', ...failed, firstAt: now, lastAt: now }])
  expect(await onCallChecks.lanes!(patientOf(store))).toMatchObject({ verdict: 'ok' })
})
