import { expect, test } from 'vitest'
import { explanations } from '../../../src/cli/explain/explain.ts'
import { version } from '../../../src/version.ts'
import { folderWith, providerSource, serving } from '../command.ts'

/** A provider of this source with two workers, and the lines of its log so far. */
function withWorkers(source: string, env: Record<string, string> = {}) {
  const cwd = folderWith({ 'provider.ts': source })
  const all = { PURVEYOR_LOG_LEVEL: 'info', ...env }
  const run = serving(cwd, all, '--workers', '2')
  const lines = (msg = /^/): Record<string, unknown>[] =>
    (run.output.stderr.match(/^{.*}$/gm) ?? [])
      .map((line) => JSON.parse(line))
      .filter((line) => msg.test(String(line.msg)))
  return { ...run, lines }
}

test('processes log their starts, deaths, stops and versions as lines of the same form', async () => {
  const env = { PURVEYOR_METRICS_TOKEN: 'm'.repeat(24) }
  const { ready, child, ended, output, lines } = withWorkers(providerSource(), env)
  const { url } = await ready
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
  const { workerPid } = started[0]!
  expect(died).toMatchObject({ level: 50, code: 'WORKER_DIED', worker: 1, workerPid, signal: 'SIGKILL' })
  expect(explanations().some(({ code }) => code === died!.code)).toBe(true)
  const headers = { authorization: `Bearer ${env.PURVEYOR_METRICS_TOKEN}`, connection: 'close' }
  const numbers = async () => (await fetch(`${url}/metrics`, { headers })).text()
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
  const number = expect.any(Number)
  for (const line of lines()) expect(line).toMatchObject({ level: number, time: number, pid: number })
})

test('a worker that cannot start beside one that serves is replaced, and calls go on', async () => {
  const broken = `import cluster from 'node:cluster'
if (cluster.worker?.id === 2) throw new Error('no room for a second worker')
`
  const { ready, child, ended, lines } = withWorkers(broken + providerSource())
  const { url } = await ready
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  await expect.poll(() => lines(/^worker started/), { timeout: 120_000 }).toHaveLength(2)
  expect(lines(/^a worker died/)).toMatchObject([{ code: 'WORKER_DIED', worker: 2 }])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
