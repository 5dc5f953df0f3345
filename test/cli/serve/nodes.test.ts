import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { NodeRuns, StorePort } from '../../../src/store-port.ts'
import { version } from '../../../src/version.ts'
import { end } from '../../journey/project.ts'
import { open, openOwed } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore, providerSource, serving } from '../command.ts'

/** A folder with a provider and what runs commands there. */
function place() {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const run = commandsIn(cwd)
  return { cwd, run, listed: () => run.json('nodes list') }
}

/** No process has this number. */
const gone = 4_194_400

/** Notes a process of this machine that was seen `ago` milliseconds ago, and forgets those before `since`. */
async function note(
  store: StorePort,
  id: string,
  pid: number,
  ago: number,
  of: Partial<NodeRuns> = {},
  since = 0,
) {
  const now = Date.now()
  const runs = { host: hostname(), pid, mainPid: 70, version, build: '', since: now - 3_600_000, ...of }
  await store.noteNode({ id, opens: ['a'], runs }, { now: now - ago, since })
}

describe.concurrent('nodes list', () => {
  test('shows version, build and workers of what runs, beside a node alone, and forgets what has stopped', async ({
    expect,
  }) => {
    const { cwd, run, listed } = place()
    const serve = (build: string, ...args: string[]) =>
      serving(cwd, { PURVEYOR_BUILD: build, PURVEYOR_LOG_LEVEL: 'info' }, ...args)
    const one = serve('3f2a1c', '--workers', '2')
    await one.ready
    // The log has a pipe of its own, and may come after the line that says ready.
    const log = () => expect.poll(() => one.output.stderr)
    await log().toMatch(/"build":"3f2a1c".*"msg":"provider started"/)
    await log().toMatch(/"build":"3f2a1c".*"msg":"worker started"/)
    const other = serve('77aa00')
    await other.ready
    expect(await listed()).toMatchObject([
      { host: hostname(), pid: one.child.pid, version, build: '3f2a1c', workers: 2, runs: true },
      { host: hostname(), pid: other.child.pid, version, build: '77aa00', workers: 1, runs: true },
    ])
    const out = await run.out('nodes list')
    expect(out).toMatch(/^node +host +pid +version +build +workers +since +last seen$/m)
    expect(out).toContain(
      `Nodes run different versions: ${version} (build 3f2a1c), ${version} (build 77aa00)`,
    )
    expect(await run.out('doctor')).toMatch(/warn +nodes +Nodes run different versions/)
    await end(other.child)
    expect(await listed()).toMatchObject([{ build: '3f2a1c', workers: 2 }])
    expect(await run.out('doctor')).toMatch(/ok +nodes +1 node with 2 workers: version/)
    await end(one.child)
    expect(await run.out('nodes list')).toBe('No provider runs on this store.')
  })

  test('shows one that died until another one runs', async () => {
    const { cwd, run, listed } = place()
    await inStore(cwd, (store) => note(store, 'died', 71, 90_000, { host: 'web-1', version: '0.0.9' }))
    const out = await run.out('nodes list')
    expect(out).toMatch(/^died +web-1 +70 +0\.0\.9 +1 \(1 silent\) +\S+ \S+ +\S+ \S+$/m)
    expect(out).toMatch(
      /^No provider has written to the store since \S+ \S+ \(the last one on web-1\): none runs, or none reaches the store\.$/m,
    )
    await inStore(cwd, (store) => note(store, 'new', 71, 0, { host: 'web-2' }, Date.now() - 60_000))
    expect(await listed()).toMatchObject([{ host: 'web-2', runs: true }])
  })

  test('counts a worker that hangs as silent, and neither one that died nor a node that was killed', async () => {
    const { cwd, run, listed } = place()
    await inStore(cwd, async (store) => {
      await note(store, 'works', process.pid, 2_000)
      await note(store, 'hangs', process.ppid, 50_000)
      await note(store, 'died', gone, 25_000)
      await note(store, 'killed', gone + 1, 25_000, { mainPid: gone + 1, version: '0.0.9' })
    })
    expect(await listed()).toMatchObject([{ version, workers: 2, silent: 1, runs: true }])
    const out = await run.out('nodes list')
    expect(out).toMatch(/ 2 \(1 silent\) /)
    expect(out).not.toContain('different versions')
    const says = `1 process has written nothing to the store: on ${hostname()}, process id ${process.ppid}, since `
    expect(out).toContain(says)
    expect(await run.out('doctor')).toMatch(new RegExp(`^warn +nodes +${says}`, 'm'))
  })

  test.each([
    ['has died', gone, `No provider runs on this store (the last one, on ${hostname()}, ended after `],
    [
      'cannot write',
      process.pid,
      'The provider runs (process id 70) and has written nothing to the store since',
    ],
  ])('beside what waits says when the provider %s', async (_what, pid, says) => {
    const { cwd, run } = place()
    await inStore(cwd, async (store) => {
      await note(store, 'last', pid, 90_000)
      await openOwed(store, { orderId: '1', now: Date.now() - 180_000 })
      await store.openAttempt(open({ orderId: '2', now: Date.now() }))
    })
    const lanes = await run.out('lanes list')
    expect(lanes).toMatch(/ due since \S+ \S+ /)
    const nothingWaits = await run.out('lanes list --kind push')
    expect(nothingWaits).toMatch(/^No lane is closed, and no calls are waiting\.$/m)
    const found = [await run.out('payments find 2'), await run.out('payments find 1')]
    for (const out of [lanes, nothingWaits, ...found]) expect(out).toContain(says)
  })
})
