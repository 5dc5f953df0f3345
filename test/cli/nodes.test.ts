import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StorePort } from '../../src/store.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { version } from '../../src/version.ts'
import { end } from '../journey/project.ts'
import { folderWith, providerSource, purveyor, running } from './command.ts'

interface Listed {
  host?: string
  pid?: number
  version?: string
  build?: string
  workers: number
  runs: boolean
  processes: { pid?: number }[]
}

const listedIn = async (cwd: string) =>
  JSON.parse((await purveyor(['nodes', 'list', '--json'], { cwd })).stdout) as Listed[]

describe.concurrent('nodes list', { timeout: 600_000 }, () => {
  test('shows version, build and workers of what runs, beside a node alone, and forgets what has stopped', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const serve = (build: string, ...args: string[]) =>
      running(['serve', '--development', '--port', '0', '--json', ...args], {
        cwd,
        env: { PURVEYOR_BUILD: build, PURVEYOR_LOG_LEVEL: 'info' },
      })
    const one = serve('3f2a1c', '--workers', '2')
    await one.ready
    expect(one.output.stderr).toMatch(/"build":"3f2a1c".*"msg":"provider started"/)
    expect(one.output.stderr).toMatch(/"build":"3f2a1c".*"msg":"worker started"/)
    const other = serve('77aa00')
    await other.ready
    expect(await listedIn(cwd)).toMatchObject([
      { host: hostname(), pid: one.child.pid, version, build: '3f2a1c', workers: 2, runs: true },
      { host: hostname(), pid: other.child.pid, version, build: '77aa00', workers: 1, runs: true },
    ])
    const { stdout } = await purveyor(['nodes', 'list'], { cwd })
    expect(stdout).toMatch(/^node +host +pid +version +build +workers +since +last seen$/m)
    expect(stdout).toContain(
      `Nodes run different versions: ${version} (build 3f2a1c), ${version} (build 77aa00)`,
    )
    expect((await purveyor(['doctor'], { cwd })).stdout).toMatch(/warn +nodes +Nodes run different versions/)
    await end(other.child)
    expect(await listedIn(cwd)).toMatchObject([{ build: '3f2a1c', workers: 2 }])
    expect((await purveyor(['doctor'], { cwd })).stdout).toMatch(/ok +nodes +1 node with 2 workers: version/)
    await end(one.child)
    expect((await purveyor(['nodes', 'list'], { cwd })).stdout).toBe('No provider runs on this store.\n')
  })

  test('shows a node of the version before, and one that died until another one runs', async () => {
    const cwd = folderWith({ 'provider.ts': providerSource() })
    const now = Date.now()
    const inStore = async (use: (store: StorePort) => Promise<unknown>) => {
      const store = sqliteStore({ file: join(cwd, 'data/purveyor.db') })
      await store.open()
      await use(store).finally(() => store.close())
    }
    const runs = { host: 'web-1', pid: 71, mainPid: 70, version: '0.0.9', build: '', since: now - 3_600_000 }
    await inStore(async (store) => {
      await store.noteNode({ id: 'older', opens: ['a'] }, { now: now - 100_000, since: 0 })
      await store.noteNode({ id: 'died', opens: ['a'], runs }, { now: now - 90_000, since: 0 })
    })
    const { stdout } = await purveyor(['nodes', 'list'], { cwd })
    expect(stdout).toMatch(/^died +web-1 +70 +0\.0\.9 +1 +\S+ \S+ +\S+ \S+$/m)
    expect(stdout).toMatch(/^older +older +1 +/m)
    expect(stdout).toContain('None of them was seen in the last minute')
    await inStore((store) =>
      store.noteNode(
        { id: 'new', opens: ['a'], runs: { ...runs, host: 'web-2' } },
        { now, since: now - 60_000 },
      ),
    )
    expect(await listedIn(cwd)).toMatchObject([{ host: 'web-2', runs: true }])
  })
})
