import { expect, test } from 'vitest'
import { explanations } from '../../../src/cli/explain/explain.ts'
import { version } from '../../../src/version.ts'
import { folderWith, providerSource, serving } from '../command.ts'

type Line = Record<string, unknown>

/** The JSON lines of the log so far. */
const linesOf = (text: string): Line[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))

test('processes log their starts, deaths, stops and versions as lines of the same form', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const env = { PURVEYOR_LOG_LEVEL: 'info', PURVEYOR_METRICS_TOKEN: 'm'.repeat(24) }
  const { ready, child, ended, output } = serving(cwd, env, '--workers', '2')
  const { url } = await ready
  const lines = (msg: RegExp) => linesOf(output.stderr).filter((line) => msg.test(String(line.msg)))
  const started = lines(/^worker started/)
  expect(started).toHaveLength(2)
  expect(started[0]).toMatchObject({ level: 30, version, worker: 1, pid: child.pid })
  expect(lines(/^provider started/)).toMatchObject([
    { version, node: process.version, pid: started[0]!.workerPid },
    { version, node: process.version, pid: started[1]!.workerPid },
  ])

  process.kill(Number(started[0]!.workerPid), 'SIGKILL')
  await expect.poll(() => lines(/^worker started/), { timeout: 120_000 }).toHaveLength(3)
  const [died] = lines(/^a worker died/)
  expect(died).toMatchObject({
    level: 50,
    code: 'WORKER_DIED',
    worker: 1,
    workerPid: started[0]!.workerPid,
    signal: 'SIGKILL',
  })
  expect(explanations().some(({ code }) => code === died!.code)).toBe(true)
  const numbers = async () => {
    const authorization = `Bearer ${env.PURVEYOR_METRICS_TOKEN}`
    const headers = { authorization, connection: 'close' }
    return (await fetch(`${url}/metrics`, { headers })).text()
  }
  await expect.poll(numbers).toContain('purveyor_workers_replaced_total{why="died"} 1')

  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(lines(/^workers are stopping/)).toMatchObject([{ by: 'SIGTERM', version }])
  expect(lines(/^provider stopped/)).toHaveLength(2)
  const stopped = lines(/^worker stopped/)
  expect(stopped.map(({ exit }) => exit)).toEqual([0, 0])
  // Everything on standard error is a line of one form.
  const others = output.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  expect(others).toEqual([])
  for (const line of linesOf(output.stderr))
    expect(line).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      pid: expect.any(Number),
    })
})

test('a worker that cannot start beside one that serves is replaced, and calls go on', async () => {
  const broken = `import cluster from 'node:cluster'
if (cluster.worker?.id === 2) throw new Error('no room for a second worker')
`
  const cwd = folderWith({ 'provider.ts': broken + providerSource() })
  const { ready, child, ended, output } = serving(cwd, { PURVEYOR_LOG_LEVEL: 'info' }, '--workers', '2')
  const { url } = await ready
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  const said = (msg: RegExp) => linesOf(output.stderr).filter((line) => msg.test(String(line.msg)))
  await expect.poll(() => said(/^worker started/), { timeout: 120_000 }).toHaveLength(2)
  expect(said(/^a worker died/)).toMatchObject([{ code: 'WORKER_DIED', worker: 2 }])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
