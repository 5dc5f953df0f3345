import { spawnSync } from 'node:child_process'
import { Agent } from 'node:http'
import { describe, expect, test } from 'vitest'
import { checkout } from '../../http/messages.ts'
import { end } from '../../journey/project.ts'
import { closed } from '../../ports.ts'
import { callOn } from '../call-on.ts'
import { commandsIn, folderWith, production, providerSource, running, saying } from '../command.ts'

/** Production, and a delay in which a test looks around, however slow the machine is. */
const env = { ...production, PURVEYOR_STOP_DELAY: '300000' }

const folderOf = (source = providerSource()) => folderWith({ 'provider.ts': source })

async function started(options = '', more: Record<string, string> = {}) {
  const place = { cwd: folderOf(), env: { ...env, ...more } }
  const run = running(`serve --port 0 --json --show-endpoint${options}`, place)
  const { endpoint, port } = await run.ready
  const url = `http://127.0.0.1:${port}`
  return { ...run, url, endpoint: `${url}${new URL(endpoint).pathname}` }
}

const quote = (endpoint: string, agent: Agent | false = false) =>
  callOn(agent, `${endpoint}/shipment_methods`, checkout)
const ready = (url: string, agent: Agent | false = false) =>
  callOn(agent, `${url}/health/ready`).then(({ status }) => status)

describe('a stop by SIGTERM', () => {
  test('is announced by readiness first; calls are answered meanwhile, each as the last of its connection', async () => {
    const { child, url, endpoint } = await started()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await quote(endpoint, agent)).toMatchObject({ status: 201, connection: 'keep-alive' })
    child.kill('SIGTERM')
    await expect.poll(() => ready(url)).toBe(503)
    expect(await quote(endpoint, agent)).toMatchObject({ status: 201, connection: 'close' })
    expect((await quote(endpoint)).status).toBe(201)
    expect((await callOn(false, `${url}/health/live`)).status).toBe(200)
    // A second one changes nothing.
    child.kill('SIGTERM')
    expect((await quote(endpoint)).status).toBe(201)
    await end(child, 'SIGKILL')
  })

  test.each(['', ' --workers 2'])(
    'closes the listener after the delay, and ends with 0%s',
    async (options) => {
      const { child, url, ended } = await started(options, { PURVEYOR_STOP_DELAY: '100' })
      child.kill('SIGTERM')
      await closed(url)
      expect(await ended).toEqual([0, null])
    },
  )

  test('reaches all workers', async () => {
    const { child, url, endpoint } = await started(' --workers 2')
    child.kill('SIGTERM')
    for (let inARow = 0; inARow < 5; ) inARow = (await ready(url)) === 503 ? inARow + 1 : 0
    for (let time = 0; time < 5; time++) expect((await quote(endpoint)).status).toBe(201)
    await end(child, 'SIGKILL')
  })

  test('while the provider opens its store closes that again, and opens no port', async () => {
    const store = new URL('../../../src/stores/sqlite.ts', import.meta.url)
    const source = `import { createProvider } from 'purveyor'
import { sqliteStore } from '${store}'
const store = sqliteStore({ file: 'store.db' })
export default createProvider({
  store: {
    ...store,
    async ensureShop(...given) {
      const shop = await store.ensureShop(...given)
      console.log('opening')
      const opening = setInterval(() => {}, 1_000)
      await new Promise((resolve) => process.once('SIGTERM', resolve))
      clearInterval(opening)
      return shop
    },
    close: () => store.close().then(() => console.log('closed')),
  },
  rates: { name: 'flat', quote: () => [] },
})`
    const place = { cwd: folderOf(source), env }
    const { child, printed, ended, output } = running('serve --port 0 --json', place)
    await printed('opening')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(output.stdout).toBe('opening\nclosed\n')
  })

  test('before it is ready ends it at once', async () => {
    const source = `${providerSource()}\nconsole.log('loading')\nawait new Promise(() => setInterval(() => {}, 1000))`
    const { child, printed, ended } = running('serve --port 0', { cwd: folderOf(source), env })
    await printed('loading')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe('other ends', () => {
  test('Ctrl+C closes the listener at once', async () => {
    const { child, url, ended } = await started()
    child.kill('SIGINT')
    await closed(url)
    expect(await ended).toEqual([0, null])
  })

  test('while SIGHUP renews the workers it stays ready, and no connection is refused', async () => {
    const { child, url, endpoint, ended } = await started(' --workers 2')
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    const pids = () =>
      spawnSync('pgrep', ['-P', String(child.pid)])
        .stdout.toString()
        .trim()
        .split('\n')
    const old = new Set(pids())
    expect(old.size).toBe(2)
    const answers: unknown[] = []
    child.kill('SIGHUP')
    // On a busy machine all may be renewed before the first look.
    do {
      answers.push(await ready(url, agent), await ready(url), (await quote(endpoint)).status)
    } while (pids().some((pid) => old.has(pid)))
    expect(new Set(answers)).toEqual(new Set([200, 201]))
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  })
})

test.each(['soon', '-1', '1.5', '300001'])('a stop delay of %s is refused', async (given) => {
  const run = commandsIn(folderOf(), { ...env, PURVEYOR_STOP_DELAY: given })
  expect(await run('serve')).toMatchObject(saying(3, 'http.stopDelay (PURVEYOR_STOP_DELAY) must be '))
})
